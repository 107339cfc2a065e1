package dev.turno.web.api;

import java.io.StringWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.json.JsonMapper;

/**
 * The body of a message: a text as it is, or any other JSON value as its text.
 *
 * @param isText whether it was sent as a text
 */
@JsonDeserialize(using = Body.Reader.class)
public record Body(String text, boolean isText) {

    static final class Reader extends ValueDeserializer<Body> {

        private static final JsonMapper JSON = JsonMapper.shared();

        @Override
        public Body deserialize(JsonParser parser, DeserializationContext context) {
            if (parser.currentToken() == JsonToken.VALUE_STRING) {
                return new Body(parser.getString(), true);
            }
            StringWriter text = new StringWriter();
            try (JsonGenerator generator = JSON.createGenerator(text)) {
                // Exact: a number keeps all its digits.
                generator.copyCurrentStructureExact(parser);
            } catch (NumberFormatException e) {
                return context.reportInputMismatch(
                        Body.class, "A number in the body is beyond all limits: %s", e.getMessage());
            }
            return new Body(text.toString(), false);
        }
    }
}
