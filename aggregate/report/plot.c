/*
 * Drawing a plot as SVG.
 *
 * A first pass over the rows collects places, series and the range of the y axis, which includes 0;
 * ticks are 1, 2 or 5 times a power of ten apart.  A second pass draws the points.
 */
#include "aggregate/report/plot.h"

#include <math.h>
#include <stdio.h>

#include "aggregate/report/render.h"

enum {
    WIDTH = 620,
    HEIGHT = 300,
    LEFT = 52,
    RIGHT = 12,
    TOP = 30,
    BOTTOM = 44,
    KEYS_MAX = 12,   /* places, and series; rows of further ones are left out */
    SERIES_STEP = 9, /* between neighbouring series at one place */
    TICKS_MAX = 6
};

/* The palette of Okabe and Ito, which colour-blind readers can distinguish. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"};
enum { N_COLOURS = sizeof(colours) / sizeof(*colours) };

struct keys {
    struct bytes items[KEYS_MAX]; /* in order of first appearance */
    size_t n;
};

struct picture {
    const struct plot *plot;
    struct keys places, series;
    double low, high, step; /* of the axis */
    struct buf *out;
};

/* ---- Values -------------------------------------------------------------------------------- */

struct mark {
    double value, low, high, paper; /* NaN where there is none */
};

static const struct cell *
cell_of(const struct plot *plot, size_t row, size_t column)
{
    return &plot->table->cells[row * plot->table->n_columns + column];
}

static struct mark
mark_of(const struct plot *plot, size_t row)
{
    const struct cell *cell = cell_of(plot, row, plot->value);
    struct mark mark = {cell->value, NAN, NAN, NAN};
    if (plot->table->columns[plot->value].kind == COLUMN_SPREAD)
        mark =
            (struct mark){cell->value, cell->value - cell->second, cell->value + cell->second, NAN};
    if (plot->interval != PLOT_NONE) {
        mark.low = cell_of(plot, row, plot->interval)->value;
        mark.high = cell_of(plot, row, plot->interval)->second;
    }
    if (plot->paper != PLOT_NONE)
        mark.paper = cell_of(plot, row, plot->paper)->value;
    return mark;
}

/* The index of KEY, which is added if it is new; KEYS_MAX if there are too many. */
static size_t
key_index(struct keys *keys, struct bytes key)
{
    for (size_t i = 0; i < keys->n; i++)
        if (bytes_equal(keys->items[i], key))
            return i;
    if (keys->n == KEYS_MAX)
        return KEYS_MAX;
    keys->items[keys->n] = key;
    return keys->n++;
}

static size_t
place_of(struct picture *picture, size_t row)
{
    return key_index(&picture->places, cell_of(picture->plot, row, picture->plot->place)->text);
}

static size_t
series_of(struct picture *picture, size_t row)
{
    if (picture->plot->series == PLOT_NONE)
        return key_index(&picture->series, BYTES(""));
    return key_index(&picture->series, cell_of(picture->plot, row, picture->plot->series)->text);
}

/* ---- Axes ---------------------------------------------------------------------------------- */

/* The smallest of 1, 2 and 5 times powers of ten that divides SPAN into at most TICKS_MAX steps. */
static double
tick_step(double span)
{
    double step = pow(10, floor(log10(span / TICKS_MAX)));
    static const double factors[] = {1, 2, 5, 10};
    for (size_t i = 0; i < 4; i++)
        if (step * factors[i] * TICKS_MAX >= span)
            return step * factors[i];
    return step * 10;
}

/*
 * Find places, series and the range of the axis.  False if there is no value, or if the range is
 * too large for a double.
 */
static bool
scale_axes(struct picture *picture)
{
    double low = 0, high = 0;
    bool has_value = false;
    for (size_t row = 0; row < picture->plot->table->n_rows; row++) {
        struct mark mark = mark_of(picture->plot, row);
        place_of(picture, row);
        series_of(picture, row);
        if (isnan(mark.value))
            continue;
        has_value = true;
        low = fmin(fmin(low, mark.value), fmin(mark.low, mark.paper));
        high = fmax(fmax(high, mark.value), fmax(mark.high, mark.paper));
    }
    if (!has_value || !(high > low))
        return false;
    picture->step = tick_step(high - low);
    picture->low = floor(low / picture->step) * picture->step;
    picture->high = ceil(high / picture->step) * picture->step;
    return isfinite(picture->high - picture->low);
}

static double
y_of(const struct picture *picture, double value)
{
    double share = (value - picture->low) / (picture->high - picture->low);
    return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP);
}

static double
x_of(const struct picture *picture, size_t place, size_t series)
{
    double width = (double)(WIDTH - LEFT - RIGHT) / (double)picture->places.n;
    double aside = ((double)series - ((double)picture->series.n - 1) / 2) * SERIES_STEP;
    return LEFT + width * ((double)place + 0.5) + aside;
}

static void
write_text(struct picture *picture, double x, double y, const char *anchor, struct bytes text)
{
    buf_printf(picture->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    render_entities(picture->out, text);
    buf_append_text(picture->out, "</text>\n");
}

static void
write_axes(struct picture *picture)
{
    int n = (int)lround((picture->high - picture->low) / picture->step);
    for (int i = 0; i <= n; i++) {
        double value = picture->low + i * picture->step, y = y_of(picture, value);
        char label[32];
        snprintf(label, sizeof(label), "%.6g", fabs(value) < picture->step / 2 ? 0 : value);
        buf_printf(picture->out,
                   "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", LEFT, y,
                   WIDTH - RIGHT, y);
        write_text(picture, LEFT - 6, y + 4, "end", bytes_of_text(label));
    }
    for (size_t i = 0; i < picture->places.n; i++) {
        double width = (double)(WIDTH - LEFT - RIGHT) / (double)picture->places.n;
        write_text(picture, LEFT + width * ((double)i + 0.5), HEIGHT - BOTTOM + 18, "middle",
                   picture->places.items[i]);
    }
}

/* ---- Marks --------------------------------------------------------------------------------- */

static void
write_mark(struct picture *picture, double x, struct mark mark, const char *colour)
{
    struct buf *out = picture->out;
    if (!isnan(mark.low) && !isnan(mark.high))
        buf_printf(out,
                   "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
                   "stroke-width=\"1.5\"/>\n",
                   x, y_of(picture, mark.low), x, y_of(picture, mark.high), colour);
    buf_printf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n", x,
               y_of(picture, mark.value), colour);
    if (!isnan(mark.paper))
        buf_printf(out,
                   "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#000\" "
                   "stroke-dasharray=\"3 2\"/>\n",
                   x - 22, y_of(picture, mark.paper), x + 22, y_of(picture, mark.paper));
}

static bool
write_marks(struct picture *picture)
{
    bool has_paper = false;
    for (size_t row = 0; row < picture->plot->table->n_rows; row++) {
        struct mark mark = mark_of(picture->plot, row);
        size_t place = place_of(picture, row), series = series_of(picture, row);
        if (isnan(mark.value) || place == KEYS_MAX || series == KEYS_MAX)
            continue;
        write_mark(picture, x_of(picture, place, series), mark, colours[series % N_COLOURS]);
        has_paper = has_paper || !isnan(mark.paper);
    }
    return has_paper;
}

static void
write_legend(struct picture *picture, bool has_paper)
{
    double x = LEFT;
    for (size_t i = 0; i < picture->series.n && picture->plot->series != PLOT_NONE; i++) {
        buf_printf(picture->out, "<circle cx=\"%.1f\" cy=\"%d\" r=\"4\" fill=\"%s\"/>\n", x + 4,
                   HEIGHT - 10, colours[i % N_COLOURS]);
        write_text(picture, x + 14, HEIGHT - 6, "start", picture->series.items[i]);
        x += 30 + 7 * (double)picture->series.items[i].len;
    }
    if (has_paper)
        write_text(picture, WIDTH - RIGHT, HEIGHT - 6, "end", BYTES("dashed: the paper"));
}

void
plot_write(const struct plot *plot, struct buf *out)
{
    struct picture picture = {.plot = plot, .out = out};
    if (!scale_axes(&picture))
        return;
    buf_printf(out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
               "height=\"%d\" role=\"img\">\n<title>",
               WIDTH, HEIGHT, WIDTH, HEIGHT);
    render_entities(out, bytes_of_text(plot->title));
    buf_append_text(out, "</title>\n");
    write_text(&picture, LEFT, 16, "start", bytes_of_text(plot->title));
    write_axes(&picture);
    write_legend(&picture, write_marks(&picture));
    buf_append_text(out, "</svg>\n");
}
