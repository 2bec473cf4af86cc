/* See regular.h.  Reads are repeated when a signal interrupts them; a file that is shorter than
 * when it was opened is damage, not an error of the system. */
#include "git/odb/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum odb_outcome
open_failed(int number, struct failure *failure)
{
    if (number == ENOENT || number == ENOTDIR)
        return failure_set(failure, ODB_MISSING, "there is no such file");
    return failure_set(failure, number == ENOMEM ? ODB_NO_MEMORY : ODB_DAMAGED, "%s",
                       strerror(number));
}

enum odb_outcome
regular_open(const char *path, struct regular *out, struct failure *failure)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return open_failed(errno, failure);
    enum odb_outcome outcome = ODB_OK;
    if (fstat(fd, &st) < 0)
        outcome = open_failed(errno, failure);
    else if (!S_ISREG(st.st_mode) || st.st_size < 0)
        outcome = failure_set(failure, ODB_DAMAGED, "it is not a regular file");
    if (outcome != ODB_OK) {
        close(fd);
        return outcome;
    }
    *out = (struct regular){fd, (uint64_t)st.st_size, st.st_dev, st.st_ino};
    return ODB_OK;
}

enum odb_outcome
regular_read_at(int fd, uint64_t offset, size_t len, uint8_t *out, struct failure *failure)
{
    while (len > 0) {
        ssize_t n = pread(fd, out, len, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return failure_set(failure, ODB_DAMAGED, "it cannot be read: %s", strerror(errno));
        if (n == 0)
            return failure_set(failure, ODB_DAMAGED, "it was cut short while it was read");
        out += n;
        offset += (uint64_t)n;
        len -= (size_t)n;
    }
    return ODB_OK;
}

enum odb_outcome
regular_read_all(const char *path, size_t max_bytes, struct buf *out, struct failure *failure)
{
    struct regular file;
    enum odb_outcome outcome = regular_open(path, &file, failure);
    if (outcome != ODB_OK)
        return outcome;
    if (file.size > max_bytes) {
        outcome = failure_set(failure, ODB_TOO_LARGE, "it has %llu bytes, at most %zu are read",
                              (unsigned long long)file.size, max_bytes);
    } else if (file.size > 0) {
        uint8_t *to = buf_reserve(out, (size_t)file.size);
        outcome = to ? regular_read_at(file.fd, 0, (size_t)file.size, to, failure)
                     : failure_no_memory(failure);
        if (outcome == ODB_OK)
            out->len += (size_t)file.size;
    }
    close(file.fd);
    return outcome;
}
