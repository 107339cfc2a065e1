package dev.turno.web.address;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** A range of addresses, as in {@code 10.0.0.0/8} or {@code fc00::/7}; a single address is a range of one. */
public record AddressRange(InetAddress first, int bits) {

    public static AddressRange of(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        if (!isLiteral(address)) {
            throw new IllegalArgumentException("'" + text + "' is not an address or a range of addresses.");
        }
        try {
            InetAddress first = InetAddress.getByName(address);
            int all = first.getAddress().length * 8;
            int bits = slash < 0 ? all : Integer.parseInt(text.substring(slash + 1));
            if (bits < 0 || bits > all) {
                throw new IllegalArgumentException("'" + text + "' has no range of 0 to " + all + " bits.");
            }
            return new AddressRange(first, bits);
        } catch (UnknownHostException | NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not an address or a range of addresses.", e);
        }
    }

    /** Four numbers with dots, or something with two colons: nothing that would be looked up. */
    public static boolean isLiteral(String text) {
        return text.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}") || text.matches("[0-9A-Fa-f]*:[0-9A-Fa-f]*:[0-9A-Fa-f:.]*");
    }

    public boolean contains(InetAddress address) {
        byte[] mine = first.getAddress();
        byte[] other = address.getAddress();
        if (mine.length != other.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> (bit % 8);
            if ((mine[bit / 8] & mask) != (other[bit / 8] & mask)) {
                return false;
            }
        }
        return true;
    }
}
