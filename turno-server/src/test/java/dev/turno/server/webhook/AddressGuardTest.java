package dev.turno.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("security")
class AddressGuardTest {

    private final AddressGuard guard = new AddressGuard(List.of(), InetAddress::getAllByName);

    @ParameterizedTest
    @ValueSource(
            strings = {
                // this machine, in many spellings
                "127.0.0.1",
                "127.1.2.3",
                "127.255.255.254",
                "localhost",
                "2130706433",
                "127.1",
                "0x7f.1",
                "0x7f000001",
                "::1",
                "[::1]",
                "0:0:0:0:0:0:0:1",
                "::ffff:127.0.0.1",
                "[::ffff:7f00:1]",
                "::127.0.0.1",
                "0.0.0.0",
                "0",
                "::",
                "[::]",
                "0.1.2.3",
                // private networks
                "10.0.0.1",
                "10.255.255.255",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.0.1",
                "::ffff:10.0.0.1",
                "fd00::1",
                "fc00::1",
                "fdff:ffff::1",
                "fec0::1",
                // link-local, and the metadata of clouds
                "169.254.169.254",
                "169.254.0.1",
                "fe80::1",
                "febf::1",
                "fd00:ec2::254",
                "100.100.100.200",
                "192.0.0.192",
                "168.63.129.16",
                "::ffff:169.254.169.254",
                "2852039166",
                // shared by carriers
                "100.64.0.1",
                "100.127.255.255",
                // ways from version 6 to version 4
                "64:ff9b::7f00:1",
                "64:ff9b::10.0.0.1",
                "64:ff9b:1::7f00:1",
                "2002:7f00:1::1",
                "2002:a00:1::",
                "2001:0:7f00:1::1",
                "::a00:1",
                // multicast, reserved, documentation, measurements
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.1",
                "255.255.255.255",
                "ff02::1",
                "192.0.2.1",
                "198.51.100.1",
                "203.0.113.1",
                "198.18.0.1",
                "192.88.99.1",
                "2001:db8::1",
                "3fff::1",
                "100::1",
                "5f00::1",
                "4000::1",
            })
    void what_is_not_public_is_refused(String host) {
        assertThatThrownBy(() -> guard.resolve(host, 80)).isInstanceOf(UnknownHostException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1", "126.255.255.255",
                "128.0.0.1", "169.253.1.1", "169.255.1.1", "172.15.255.255", "172.32.0.1", "192.167.1.1", "192.169.1.1",
                "198.17.255.255", "198.20.0.1", "223.255.255.255", "2606:4700:4700::1111", "2001:4860:4860::8888",
                        "2a00::1"
            })
    void the_neighbours_of_these_ranges_are_public(String host) throws Exception {
        assertThat(guard.resolve(host, 443)).hasSize(1);
    }

    @Test
    void one_address_that_is_not_public_closes_the_name() {
        AddressGuard.Names both =
                host -> new InetAddress[] {InetAddress.getByName("1.1.1.1"), InetAddress.getByName("10.0.0.1")};

        assertThatThrownBy(() -> new AddressGuard(List.of(), both).resolve("mixed.example", 80))
                .isInstanceOf(AddressGuard.RefusedException.class)
                .hasMessageContaining("10.0.0.1")
                .hasMessageContaining("turno.webhooks.allow");
    }

    @Test
    void a_name_without_an_answer_is_refused() {
        AddressGuard.Names none = host -> new InetAddress[0];
        AddressGuard.Names away = host -> {
            throw new UnknownHostException(host);
        };

        assertThatThrownBy(() -> new AddressGuard(List.of(), none).resolve("a.example", 80))
                .isInstanceOf(UnknownHostException.class);
        assertThatThrownBy(() -> new AddressGuard(List.of(), away).resolve("a.example", 80))
                .isInstanceOf(UnknownHostException.class);
    }

    @Test
    void what_is_allowed_is_allowed_and_nothing_beside_it() throws Exception {
        AddressGuard allowing = new AddressGuard(
                List.of("127.0.0.1:9000", "10.1.0.0/16", "n8n.internal", "[fd00::5]:80", "fd01::/64"),
                AddressGuardTest::inside);

        assertThat(allowing.resolve("127.0.0.1", 9000))
                .containsExactly(new InetSocketAddress(InetAddress.getLoopbackAddress(), 9000));
        assertThat(allowing.resolve("10.1.255.1", 5)).hasSize(1);
        assertThat(allowing.resolve("n8n.internal", 5678)).hasSize(1);
        assertThat(allowing.resolve("N8N.Internal", 5678)).hasSize(1);
        assertThat(allowing.resolve("fd00::5", 80)).hasSize(1);
        assertThat(allowing.resolve("[fd01::77]", 443)).hasSize(1);
        for (String host : List.of("127.0.0.1", "127.0.0.2", "10.2.0.1", "other.internal", "fd00::5", "fd02::1")) {
            assertThatThrownBy(() -> allowing.resolve(host, 9001)).isInstanceOf(AddressGuard.RefusedException.class);
        }
    }

    private static InetAddress[] inside(String host) throws UnknownHostException {
        return host.endsWith(".internal") ? InetAddress.getAllByName("192.168.7.7") : InetAddress.getAllByName(host);
    }

    @Test
    void an_entry_that_cannot_be_meant_is_refused_at_start() {
        for (String entry : List.of("", "*", "10.0.0.0/33", "http://a.example/", "a b")) {
            assertThatThrownBy(() -> new AddressGuard(List.of(entry), InetAddress::getAllByName))
                    .as(entry)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://a.example/",
                "file:///etc/passwd",
                "gopher://a.example",
                "http:///path",
                "http://user:pw@a.example/",
                "http://user@a.example/",
                "http://a.example/#x",
                "http://a.example:0/",
                "http://a.example:70000/",
                "a.example",
                "",
                "http://a b/",
                "http://1.1.1.1\\@127.0.0.1/",
                "http://a.example:80:90/",
                "http://127.1/",
                "javascript:alert(1)",
                "http://127.0.0.1%00.example/",
                "http://①②⑦.⓪.⓪.①/"
            })
    void an_unusable_url_is_refused_without_being_repeated(String url) {
        assertThatThrownBy(() -> Webhook.url(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Nothing was changed")
                .hasMessageNotContaining("pw");
    }
}
