package dev.turno.benchmarks.result;

import java.util.Iterator;
import java.util.function.Consumer;

/** A report for programs: one line per figure, then one with the ratios and the goals. */
public final class JsonLines {

    private final StringBuilder text = new StringBuilder();

    private JsonLines() {}

    public static String of(Report report) {
        JsonLines lines = new JsonLines();
        report.figures().forEach(lines::figure);
        lines.summary(report);
        return lines.text.toString();
    }

    private void figure(Figure figure) {
        text.append("{\"workload\":").append(quoted(figure.workload()));
        text.append(",\"who\":").append(quoted(figure.who()));
        text.append(",\"value\":").append(Numbers.plain(figure.median()));
        text.append(",\"unit\":").append(quoted(figure.unit()));
        text.append(",\"least\":").append(Numbers.plain(figure.least()));
        text.append(",\"most\":").append(Numbers.plain(figure.most()));
        text.append(",\"rounds\":").append(figure.values().size()).append("}\n");
    }

    private void summary(Report report) {
        text.append("{\"workload\":").append(quoted(report.workload())).append(",\"ratios\":{");
        separated(
                report.ratios().entrySet().iterator(),
                ratio -> text.append(quoted(ratio.getKey())).append(':').append(Numbers.plain(ratio.getValue())));
        text.append("},\"goals\":{");
        separated(report.goals().iterator(), this::goal);
        text.append("},\"violations\":[");
        separated(report.violations().iterator(), violation -> text.append(quoted(violation)));
        text.append("]}\n");
    }

    private void goal(Goal goal) {
        text.append(quoted(goal.name())).append(":{\"goal\":").append(quoted(goal.wording()));
        text.append(",\"value\":").append(Numbers.plain(goal.value()));
        text.append(",\"met\":").append(goal.isMet()).append('}');
    }

    private <T> void separated(Iterator<T> items, Consumer<T> write) {
        while (items.hasNext()) {
            write.accept(items.next());
            if (items.hasNext()) {
                text.append(',');
            }
        }
    }

    static String quoted(String value) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
