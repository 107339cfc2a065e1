package dev.turno.web.address;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;

/**
 * The addresses of the public internet. The JDK's own flags know neither fc00::/7 nor 100.64.0.0/10, so the ranges are listed. Of version
 * 6 only the global unicast range is let through, without the parts of it that lead back to version 4 or are set aside.
 */
public final class PublicAddresses {

    private static final List<AddressRange> CLOSED_4 = ranges(
            "0.0.0.0/8", // this network
            "10.0.0.0/8", // private
            "100.64.0.0/10", // shared by carriers; also a cloud's metadata
            "127.0.0.0/8", // this machine
            "168.63.129.16/32", // a cloud's host agent
            "169.254.0.0/16", // link-local; clouds' metadata
            "172.16.0.0/12", // private
            "192.0.0.0/24", // protocols; also a cloud's metadata
            "192.0.2.0/24", // documentation
            "192.88.99.0/24", // relays to version 6
            "192.168.0.0/16", // private
            "198.18.0.0/15", // measurements
            "198.51.100.0/24", // documentation
            "203.0.113.0/24", // documentation
            "224.0.0.0/4", // multicast
            "240.0.0.0/4"); // reserved, and broadcast

    private static final AddressRange OPEN_6 = AddressRange.of("2000::/3");
    private static final List<AddressRange> CLOSED_6 = ranges(
            "2001::/23", // protocols; Teredo carries version 4
            "2001:db8::/32", // documentation
            "2002::/16", // 6to4 carries version 4
            "3fff::/20"); // documentation

    private PublicAddresses() {}

    private static List<AddressRange> ranges(String... texts) {
        return Stream.of(texts).map(AddressRange::of).toList();
    }

    public static boolean isPublic(InetAddress address) {
        return address instanceof Inet4Address
                ? CLOSED_4.stream().noneMatch(range -> range.contains(address))
                : OPEN_6.contains(address) && CLOSED_6.stream().noneMatch(range -> range.contains(address));
    }
}
