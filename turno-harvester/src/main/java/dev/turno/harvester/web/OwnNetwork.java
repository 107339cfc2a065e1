package dev.turno.harvester.web;

import dev.turno.web.address.PublicAddresses;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hc.client5.http.DnsResolver;

/**
 * A record's metadata must not make this machine ask its own neighbours. The connection is made to the very addresses that were looked up
 * and checked here, so a name that changes its answer gains nothing. Shared by threads.
 */
final class OwnNetwork implements DnsResolver {

    /** How names are looked up. */
    @FunctionalInterface
    interface Names {
        InetAddress[] find(String host) throws UnknownHostException;
    }

    private final Set<String> allowed;
    private final Names names;

    /** @param allowed hosts that may be asked although they are neighbours */
    OwnNetwork(Set<String> allowed, Names names) {
        this.allowed = Set.copyOf(allowed);
        this.names = names;
    }

    @Override
    public List<InetSocketAddress> resolve(String host, int port) throws UnknownHostException {
        List<InetSocketAddress> checked = new ArrayList<>();
        for (InetAddress address : names.find(host)) {
            if (!allowed.contains(host) && !PublicAddresses.isPublic(address)) {
                throw new OutsideClient.NotAskedException("'" + host + "' is or leads to " + address.getHostAddress()
                        + ", which is not a public address and is not asked. If it is meant, allow the host.");
            }
            checked.add(new InetSocketAddress(address, port));
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
