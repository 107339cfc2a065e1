package dev.turno.task;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The fields of a cron line: which seconds, minutes, hours, days, months. Knows nothing of time zones. Immutable. */
final class CronFields {

    private static final int LONGEST = 200;
    private static final List<String> MONTHS =
            List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
    private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");
    private static final Map<String, String> NICKNAMES = Map.of(
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *",
            "@monthly", "0 0 1 * *",
            "@weekly", "0 0 * * 0",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@hourly", "0 * * * *");

    /** A field's name, its least and greatest value, and the words that stand for its values from the least on. */
    private record Field(String label, int least, int most, List<String> words) {}

    private static final Field DAY = new Field("day of month", 1, 31, List.of());
    private static final Field WEEKDAY = new Field("day of week", 0, 7, DAYS);
    private static final List<Field> FIELDS = List.of(
            new Field("second", 0, 59, List.of()),
            new Field("minute", 0, 59, List.of()),
            new Field("hour", 0, 23, List.of()),
            DAY,
            new Field("month", 1, 12, MONTHS),
            WEEKDAY);

    /** A word of the line and where it stands, counted from 1. */
    private record Word(String text, int position) {}

    /** @param open a wildcard or a step over everything: it names no value in particular */
    private record Values(BitSet set, boolean open) {

        boolean has(int value) {
            return set.get(value);
        }
    }

    private final Values seconds;
    private final Values minutes;
    private final Values hours;
    private final Values days;
    private final Values months;
    private final Values weekdays;

    private CronFields(List<Values> values) {
        this.seconds = values.get(0);
        this.minutes = values.get(1);
        this.hours = values.get(2);
        this.days = values.get(3);
        this.months = values.get(4);
        this.weekdays = values.get(5);
    }

    static CronFields parse(String line) {
        if (line.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "The cron line has " + line.length() + " characters; use at most " + LONGEST + ".");
        }
        String full = NICKNAMES.getOrDefault(line.strip().toLowerCase(Locale.ROOT), line);
        List<Word> words = words(full);
        if (words.size() != 5 && words.size() != 6) {
            throw new IllegalArgumentException(
                    "The cron line '" + line + "' has " + words.size()
                            + " fields; use five (minute, hour, day of month, month, day of week) or six, with the second in front.");
        }
        List<Values> values = new ArrayList<>();
        if (words.size() == 5) {
            values.add(new Values(bits(0, 0, 1), false));
        }
        for (Word word : words) {
            values.add(values(word, FIELDS.get(values.size()), line));
        }
        return new CronFields(values);
    }

    private static List<Word> words(String line) {
        List<Word> words = new ArrayList<>();
        int start = -1;
        for (int i = 0; i <= line.length(); i++) {
            boolean blank = i == line.length() || Character.isWhitespace(line.charAt(i));
            if (blank && start >= 0) {
                words.add(new Word(line.substring(start, i), start + 1));
                start = -1;
            } else if (!blank && start < 0) {
                start = i;
            }
        }
        return words;
    }

    private static Values values(Word word, Field field, String line) {
        BitSet set = new BitSet();
        boolean open = false;
        int position = word.position();
        for (String part : word.text().split(",", -1)) {
            Part read = new Part(part, position, field, line);
            set.or(read.set());
            open |= read.isOpen();
            position += part.length() + 1;
        }
        if (field.equals(WEEKDAY) && set.get(7)) {
            set.clear(7);
            set.set(0); // both are Sunday
        }
        return new Values(set, open);
    }

    private static BitSet bits(int from, int to, int step) {
        BitSet bits = new BitSet();
        for (int value = from; value <= to; value += step) {
            bits.set(value);
        }
        return bits;
    }

    /** One part of a list: {@code *}, {@code 5}, {@code 1-5}, each perhaps with a step. */
    private record Part(String text, int position, Field field, String line) {

        boolean isOpen() {
            return text.startsWith("*") || text.startsWith("?") || (text.contains("/") && !text.contains("-"));
        }

        BitSet set() {
            int slash = text.indexOf('/');
            String range = slash < 0 ? text : text.substring(0, slash);
            int step = slash < 0 ? 1 : number(text.substring(slash + 1), slash + 1, 1, field.most());
            if (range.equals("*") || (range.equals("?") && (field.equals(DAY) || field.equals(WEEKDAY)))) {
                return bits(field.least(), field.equals(WEEKDAY) ? 6 : field.most(), step);
            }
            int dash = range.indexOf('-');
            int from = value(dash < 0 ? range : range.substring(0, dash), 0);
            int to = dash >= 0 ? value(range.substring(dash + 1), dash + 1) : slash < 0 ? from : field.most();
            if (to < from) {
                throw wrong(0, "the range '" + range + "' ends before it begins");
            }
            return bits(from, to, step);
        }

        private int value(String word, int offset) {
            int index = field.words().indexOf(word.toUpperCase(Locale.ROOT));
            return index >= 0 ? field.least() + index : number(word, offset, field.least(), field.most());
        }

        private int number(String word, int offset, int least, int most) {
            if (!word.matches("[0-9]{1,4}")) {
                throw wrong(offset, "'" + word + "' is no " + field.label());
            }
            int number = Integer.parseInt(word);
            if (number < least || number > most) {
                throw wrong(offset, number + " is no " + field.label() + "; use " + least + " to " + most);
            }
            return number;
        }

        private IllegalArgumentException wrong(int offset, String what) {
            return new IllegalArgumentException(
                    "The cron line '" + line + "' is wrong at position " + (position + offset) + ": " + what + ".");
        }
    }

    /** True if the hours are a wildcard or a step over all: such lines follow real time through clock changes. */
    boolean followsRealTime() {
        return hours.open();
    }

    /** The first local time after {@code after} that the line names, before {@code limit}. */
    Optional<LocalDateTime> next(LocalDateTime after, LocalDateTime limit) {
        LocalDateTime time = after.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
        while (time.isBefore(limit)) {
            if (!months.has(time.getMonthValue())) {
                time = time.toLocalDate().withDayOfMonth(1).plusMonths(1).atStartOfDay();
            } else if (!hasDay(time.toLocalDate())) {
                time = time.toLocalDate().plusDays(1).atStartOfDay();
            } else {
                Optional<LocalTime> found = next(time.toLocalTime());
                if (found.isPresent()) {
                    return Optional.of(time.toLocalDate().atTime(found.get()));
                }
                time = time.toLocalDate().plusDays(1).atStartOfDay();
            }
        }
        return Optional.empty();
    }

    /** As cron has it: if both the day of the month and that of the week are named, one of them is enough. */
    private boolean hasDay(LocalDate day) {
        boolean ofMonth = days.has(day.getDayOfMonth());
        boolean ofWeek = weekdays.has(day.getDayOfWeek().getValue() % 7);
        boolean oneIsOpen = days.open() || weekdays.open();
        return oneIsOpen ? (ofMonth && ofWeek) : (ofMonth || ofWeek);
    }

    private Optional<LocalTime> next(LocalTime from) {
        int hour = hours.set().nextSetBit(from.getHour());
        int minute = hour == from.getHour() ? from.getMinute() : 0;
        int second = hour == from.getHour() ? from.getSecond() : 0;
        while (hour >= 0) {
            Optional<LocalTime> found = next(hour, minute, second);
            if (found.isPresent()) {
                return found;
            }
            hour = hours.set().nextSetBit(hour + 1);
            minute = 0;
            second = 0;
        }
        return Optional.empty();
    }

    private Optional<LocalTime> next(int hour, int fromMinute, int fromSecond) {
        int minute = minutes.set().nextSetBit(fromMinute);
        int second = minute == fromMinute ? fromSecond : 0;
        while (minute >= 0) {
            int found = seconds.set().nextSetBit(second);
            if (found >= 0) {
                return Optional.of(LocalTime.of(hour, minute, found));
            }
            minute = minutes.set().nextSetBit(minute + 1);
            second = 0;
        }
        return Optional.empty();
    }
}
