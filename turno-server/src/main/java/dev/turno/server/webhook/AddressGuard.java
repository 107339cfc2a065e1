package dev.turno.server.webhook;

import dev.turno.web.address.AddressRange;
import dev.turno.web.address.PublicAddresses;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Looks names up and lets through only addresses of the public internet, and those that were allowed. The connection is made to the
 * very addresses that were checked here, so a name that changes its answer gains nothing. Shared by threads.
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

    /** {@code port} -1: any. */
    private record Allowed(String host, List<AddressRange> networks, int port) {
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

    private static Allowed allowed(String entry) {
        String text = entry.strip().toLowerCase(Locale.ROOT);
        boolean bare = AddressRange.isLiteral(text.split("/", 2)[0]);
        int colon = bare ? -1 : text.lastIndexOf(':');
        boolean hasPort = colon > 0 && text.substring(colon + 1).matches("[0-9]{1,5}");
        String host = withoutBrackets(hasPort ? text.substring(0, colon) : text);
        int port = hasPort ? Integer.parseInt(text.substring(colon + 1)) : -1;
        if (AddressRange.isLiteral(host.split("/", 2)[0])) {
            return new Allowed(host, List.of(AddressRange.of(host)), port);
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
            // One address that is closed closes the name: which of them is connected to must not be a matter of luck.
            if (!PublicAddresses.isPublic(address)
                    && allowed.stream().noneMatch(one -> one.covers(name, address, port))) {
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

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        return resolve(host, 0).stream().map(InetSocketAddress::getAddress).toArray(InetAddress[]::new);
    }

    @Override
    public String resolveCanonicalHostname(String host) {
        return host;
    }
}
