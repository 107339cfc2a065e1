package dev.turno.server.webhook;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Looks names up and lets through only addresses of the public internet, and those that were allowed. The connection is made to the
 * very addresses that were checked here, so a name that changes its answer gains nothing. Shared by threads.
 *
 * <p>The JDK's own flags know neither fc00::/7 nor 100.64.0.0/10, so the ranges are listed. Of version 6 only the global unicast range
 * is let through, without the parts of it that lead back to version 4 or are set aside.
 */
final class AddressGuard implements DnsResolver {

    /** How names are looked up. */
    @FunctionalInterface
    interface Names {
        InetAddress[] find(String host) throws UnknownHostException;
    }

    /** The name has no address that may be posted to, or none at all. */
    static final class RefusedException extends UnknownHostException {
        RefusedException(String message) {
            super(message);
        }
    }

    private static final List<Network> CLOSED_4 = networks(
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

    private static final Network OPEN_6 = Network.of("2000::/3");
    private static final List<Network> CLOSED_6 = networks(
            "2001::/23", // protocols; Teredo carries version 4
            "2001:db8::/32", // documentation
            "2002::/16", // 6to4 carries version 4
            "3fff::/20"); // documentation

    /** {@code port} -1: any. */
    private record Allowed(String host, List<Network> networks, int port) {
        boolean covers(String name, InetAddress address, int wanted) {
            return (port < 0 || port == wanted)
                    && (networks.isEmpty()
                            ? host.equals(name)
                            : networks.stream().anyMatch(network -> network.contains(address)));
        }
    }

    private final Names names;
    private final List<Allowed> allowed;

    /** @param allow addresses, ranges and host names, each also with a port, that are posted to although they are not public */
    AddressGuard(List<String> allow, Names names) {
        this.names = names;
        this.allowed = allow.stream().map(AddressGuard::allowed).toList();
    }

    private static List<Network> networks(String... texts) {
        return Stream.of(texts).map(Network::of).toList();
    }

    private static Allowed allowed(String entry) {
        String text = entry.strip().toLowerCase(Locale.ROOT);
        boolean bare = Network.isLiteral(text.split("/", 2)[0]);
        int colon = bare ? -1 : text.lastIndexOf(':');
        boolean hasPort = colon > 0 && text.substring(colon + 1).matches("[0-9]{1,5}");
        String host = withoutBrackets(hasPort ? text.substring(0, colon) : text);
        int port = hasPort ? Integer.parseInt(text.substring(colon + 1)) : -1;
        if (Network.isLiteral(host.split("/", 2)[0])) {
            return new Allowed(host, List.of(Network.of(host)), port);
        }
        if (!host.matches("[a-z0-9._-]{1,253}")) {
            throw new IllegalArgumentException("turno.webhooks.allow has '" + entry
                    + "'; use addresses, ranges such as 10.1.0.0/16, and host names, each also with :port.");
        }
        return new Allowed(host, List.of(), port);
    }

    private static String withoutBrackets(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    @Override
    public List<InetSocketAddress> resolve(String host, int port) throws UnknownHostException {
        String name = withoutBrackets(host.toLowerCase(Locale.ROOT));
        List<InetSocketAddress> checked = new ArrayList<>();
        for (InetAddress address : names.find(name)) {
            if (!isPublic(address) && allowed.stream().noneMatch(one -> one.covers(name, address, port))) {
                throw new RefusedException("'" + name + "' is or leads to " + address.getHostAddress()
                        + ", which is not a public address; nothing was sent. If it is meant, list the host or the address in"
                        + " turno.webhooks.allow.");
            }
            checked.add(new InetSocketAddress(address, port));
        }
        if (checked.isEmpty()) {
            throw new RefusedException("'" + name + "' has no address; nothing was sent.");
        }
        return checked;
    }

    /** One address that is closed closes the name: which of them is connected to must not be a matter of luck. */
    static boolean isPublic(InetAddress address) {
        return address instanceof Inet4Address
                ? CLOSED_4.stream().noneMatch(network -> network.contains(address))
                : OPEN_6.contains(address) && CLOSED_6.stream().noneMatch(network -> network.contains(address));
    }

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        return resolve(host, 0).stream().map(InetSocketAddress::getAddress).toArray(InetAddress[]::new);
    }

    @Override
    public String resolveCanonicalHostname(String host) {
        return host;
    }
}
