package dev.turno.benchmarks.page;

import dev.turno.benchmarks.result.Numbers;
import java.util.List;
import java.util.Locale;

/**
 * Horizontal bars with their spread, as SVG. Colours that can be read on white and on black; a background of its own would be wrong on
 * one of them. When the longest is far longer than the shortest the scale is logarithmic, and says so.
 */
record Bars(String title, String unit, List<Bar> bars) {

    /** @param ours drawn in the strong colour */
    record Bar(String label, double value, double least, double most, boolean ours) {}

    private static final int WIDTH = 760;
    private static final int LABELS = 250;
    private static final int NUMBERS = 90;
    private static final int TOP = 46;
    private static final int STEP = 30;
    private static final int THICK = 18;
    private static final double FAR = 40;
    private static final String STYLE = """
            text { font: 13px system-ui, sans-serif; fill: #57606a }
            .title { font-weight: 600; fill: #24292f }
            .bar { fill: #8c959f } .ours { fill: #2f81f7 }
            .spread { stroke: #57606a; stroke-width: 1.5 }
            @media (prefers-color-scheme: dark) {
              text { fill: #adbac7 } .title { fill: #f0f6fc } .bar { fill: #768390 } .spread { stroke: #cdd9e5 }
            }
            """;

    String svg() {
        int height = TOP + STEP * bars.size() + 10;
        StringBuilder svg = new StringBuilder();
        svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">\n"
                .formatted(WIDTH, height));
        svg.append("<title>").append(escaped(title + ", " + unit)).append("</title>\n");
        svg.append("<style>\n").append(STYLE).append("</style>\n");
        svg.append(text(0, 18, "title", "start", title));
        svg.append(text(0, 36, "", "start", unit + (isLogarithmic() ? ", logarithmic scale" : "")));
        for (int i = 0; i < bars.size(); i++) {
            svg.append(bar(bars.get(i), TOP + i * STEP));
        }
        return svg.append("</svg>\n").toString();
    }

    private String bar(Bar bar, int y) {
        double end = x(bar.value());
        int middle = y + THICK / 2;
        String shape = String.format(
                Locale.ROOT,
                "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>%n",
                bar.ours() ? "ours" : "bar",
                LABELS,
                y,
                Math.max(1, end - LABELS),
                THICK);
        String spread = String.format(
                Locale.ROOT,
                "<line class=\"spread\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>%n",
                x(bar.least()),
                x(bar.most()),
                middle,
                middle);
        String number = text(Math.max(end, x(bar.most())) + 6, middle + 5, "", "start", Numbers.plain(bar.value()));
        return text(LABELS - 8, middle + 5, "", "end", bar.label()) + shape + spread + number;
    }

    private double x(double value) {
        double room = WIDTH - LABELS - NUMBERS;
        double longest = longest();
        if (!isLogarithmic()) {
            return LABELS + room * (longest == 0 ? 0 : value / longest);
        }
        // A tenth of the shortest is where the scale begins, so that the shortest can be seen.
        double begin = Math.log10(shortest() / 10);
        return LABELS
                + room
                        * Math.max(
                                0,
                                (Math.log10(Math.max(value, shortest() / 10)) - begin) / (Math.log10(longest) - begin));
    }

    private boolean isLogarithmic() {
        return shortest() > 0 && longest() / shortest() > FAR;
    }

    private double longest() {
        return bars.stream().mapToDouble(Bar::most).max().orElse(0);
    }

    private double shortest() {
        return bars.stream().mapToDouble(Bar::value).min().orElse(0);
    }

    private static String text(double x, double y, String type, String anchor, String words) {
        return String.format(
                Locale.ROOT,
                "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
                type,
                x,
                y,
                anchor,
                escaped(words));
    }

    private static String escaped(String words) {
        return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
