package dev.turno.web.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * The files of the page. They stand under a path with the hash of their contents, so that browsers may keep them for good and a new
 * version is never mixed with an old one. Shared by threads.
 */
final class Assets {

    private static final String HOME = "classpath:/dev/turno/web/dashboard/";
    private static final String WEBJARS = "classpath:/META-INF/resources/webjars/";

    private final PathMatchingResourcePatternResolver resources = new PathMatchingResourcePatternResolver();
    private final Map<String, String> folders = new LinkedHashMap<>(); // by their place under the page
    private final String version;
    private final String page;

    Assets(List<DashboardPart> parts) {
        parts.forEach(part -> folders.put("parts/" + part.name() + "/", part.location()));
        folders.put("vendor/preact/", library("preact", "preact.module.js"));
        folders.put("vendor/chart/", library("chart.js", "chart.umd.js"));
        folders.put("", HOME);
        version = hash();
        page = text(resources.getResource(HOME + "index.html"))
                .replace("{assets}", "assets/" + version)
                .replace("{parts}", parts.stream().map(DashboardPart::name).collect(Collectors.joining(" ")));
    }

    /** The folder of a WebJar, whatever its version. */
    private String library(String name, String file) {
        Resource[] found = find("classpath*:/META-INF/resources/webjars/" + name + "/*/dist/" + file);
        if (found.length != 1) {
            throw new IllegalStateException("There are " + found.length + " copies of the WebJar '" + name
                    + "' on the class path; the dashboard needs one.");
        }
        String[] steps = path(found[0]).split("/", -1);
        return WEBJARS + name + "/" + steps[steps.length - 3] + "/dist/";
    }

    private String hash() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String folder : folders.values()) {
                Resource[] files = find(folder.replace("classpath:", "classpath*:") + "**/*.*s*");
                Arrays.sort(files, Comparator.comparing(Assets::path));
                for (Resource file : files) {
                    digest.update(file.getContentAsByteArray());
                }
            }
            return HexFormat.of().formatHex(digest.digest()).substring(0, 12);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private Resource[] find(String pattern) {
        try {
            return resources.getResources(pattern);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String path(Resource resource) {
        try {
            return resource.getURL().toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Resource resource) {
        try (InputStream in = resource.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String page() {
        return page;
    }

    /** Where each folder is served from. */
    Map<String, String> handlers() {
        Map<String, String> handlers = new LinkedHashMap<>();
        folders.forEach(
                (place, folder) -> handlers.put(Pages.PATH + "/assets/" + version + "/" + place + "**", folder));
        return handlers;
    }
}
