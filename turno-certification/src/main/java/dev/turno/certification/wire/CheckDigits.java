package dev.turno.certification.wire;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.regex.Pattern;

/** The numbers that people are known by: their form and their check digits. */
public final class CheckDigits {

    private static final String CURP_ALPHABET = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ";
    private static final String STATES =
            "AS|BC|BS|CC|CL|CM|CS|CH|DF|DG|GT|GR|HG|JC|MC|MN|MS|NT|NL|NE|OC|PL|QT|QR|SP|SL|SR|TC|TS|TL|" + "VZ|YN|ZS";
    private static final Pattern CURP = Pattern.compile("[A-ZÑ]{4}\\d{6}[HMX](" + STATES + ")[A-ZÑ]{3}[0-9A-Z]\\d");
    private static final int DIFFERENTIATOR = 16;

    private CheckDigits() {}

    /** Of the first ten digits: each second one counts double, minus 9 when over 9. */
    public static int ofNss(String text) {
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            int product = (text.charAt(i) - '0') * (1 + i % 2);
            sum += product > 9 ? product - 9 : product;
        }
        return (10 - sum % 10) % 10;
    }

    public static boolean hasRightNssDigit(String nss) {
        return nss.charAt(10) - '0' == ofNss(nss);
    }

    /** The pattern, with a date of birth that exists. */
    public static boolean isCurp(String text) {
        return CURP.matcher(text).matches() && isDate(text);
    }

    /** A digit as differentiator: born up to 1999; a letter: from 2000. */
    private static boolean isDate(String curp) {
        int century = Character.isDigit(curp.charAt(DIFFERENTIATOR)) ? 1900 : 2000;
        try {
            LocalDate unused = LocalDate.of(century + number(curp, 4), number(curp, 6), number(curp, 8));
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static int number(String text, int from) {
        return Integer.parseInt(text.substring(from, from + 2));
    }

    /** Of the first seventeen characters. */
    public static int ofCurp(String text) {
        int sum = 0;
        for (int i = 0; i < 17; i++) {
            sum += CURP_ALPHABET.indexOf(text.charAt(i)) * (18 - i);
        }
        return (10 - sum % 10) % 10;
    }

    public static boolean hasRightCurpDigit(String curp) {
        return curp.charAt(17) - '0' == ofCurp(curp);
    }
}
