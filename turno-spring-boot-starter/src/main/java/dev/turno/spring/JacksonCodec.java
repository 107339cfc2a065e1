package dev.turno.spring;

import dev.turno.inbox.Codec;
import java.lang.reflect.Type;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/** Bodies as JSON, by the application's Jackson. Shared by threads. */
public final class JacksonCodec<T> implements Codec<T> {

    private final JsonMapper mapper;
    private final JavaType type;

    /** @param type what the bodies are, for example a class or a method's generic parameter */
    public JacksonCodec(JsonMapper mapper, Type type) {
        this.mapper = mapper;
        this.type = mapper.constructType(type);
    }

    public static <T> JacksonCodec<T> of(JsonMapper mapper, Class<T> type) {
        return new JacksonCodec<>(mapper, type);
    }

    @Override
    public String write(T value) {
        return mapper.writerFor(type).writeValueAsString(value);
    }

    @Override
    public T read(String body) {
        return mapper.readValue(body, type);
    }
}
