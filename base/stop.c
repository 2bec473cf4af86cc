/*
 * One atomic flag, which a signal handler may set.  The second signal restores the default action
 * and is raised again, so it ends the process.
 */
#include "base/stop.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static atomic_bool stop_flag;

static void
on_signal(int number)
{
    if (atomic_exchange(&stop_flag, true)) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

void
stop_install(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool
stop_requested(void)
{
    return atomic_load_explicit(&stop_flag, memory_order_relaxed);
}

void
stop_request(void)
{
    atomic_store(&stop_flag, true);
}

void
stop_clear(void)
{
    atomic_store(&stop_flag, false);
}
