import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.ConnectSchema;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.Converter;
import org.apache.kafka.connect.storage.HeaderConverter;
import org.apache.kafka.connect.transforms.Transformation;
import org.apache.kafka.connect.transforms.predicates.Predicate;

/**
 * Answers each line of its input, a case in JSON, with what Kafka's own class makes of the case. Values are written with their
 * kind: null, {"s": text}, {"b": boolean}, {"i8" to "i64", "f32", "f64": number as text}, {"x": base64}, {"l": items}, {"m": entries},
 * {"r": fields of a struct}, {"d": milliseconds}, {"n": [unscaled, scale]}.
 */
public class TransformPeer {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        BufferedWriter out = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.isEmpty()) continue;
            out.write(JSON.writeValueAsString(answer(JSON.readTree(line))));
            out.write('\n');
        }
        out.flush();
    }

    private static ObjectNode answer(JsonNode given) {
        ObjectNode answer = JSON.createObjectNode();
        try {
            Map<String, String> config = new HashMap<>();
            given.get("config").fields().forEachRemaining(entry -> config.put(entry.getKey(), entry.getValue().asText()));
            SourceRecord record = record(given.get("record"));
            Object made = Class.forName(given.get("class").asText()).getDeclaredConstructor().newInstance();
            if (made instanceof Converter) {
                Converter converter = (Converter) made;
                converter.configure(config, false);
                byte[] bytes = converter.fromConnectData("t", record.valueSchema(), record.value());
                answer.put("bytes", bytes == null ? null : new String(bytes, StandardCharsets.UTF_8));
            } else if (made instanceof HeaderConverter) {
                byte[] bytes = ((HeaderConverter) made).fromConnectHeader("t", "h", record.valueSchema(), record.value());
                answer.put("bytes", bytes == null ? null : new String(bytes, StandardCharsets.UTF_8));
            } else if (made instanceof Predicate) {
                @SuppressWarnings("unchecked")
                Predicate<SourceRecord> predicate = (Predicate<SourceRecord>) made;
                predicate.configure(config);
                answer.put("holds", predicate.test(record));
            } else {
                @SuppressWarnings("unchecked")
                Transformation<SourceRecord> transformation = (Transformation<SourceRecord>) made;
                transformation.configure(config);
                SourceRecord result = transformation.apply(record);
                answer.set("record", result == null ? null : record(result));
            }
        } catch (Throwable thrown) {
            answer.put("error", thrown.getMessage() == null ? thrown.getClass().getName() : thrown.getMessage());
            answer.put("class", thrown.getClass().getName());
        }
        return answer;
    }

    private static SourceRecord record(JsonNode node) {
        Schema keySchema = schema(node.get("keySchema"));
        Schema valueSchema = schema(node.get("valueSchema"));
        ConnectHeaders headers = new ConnectHeaders();
        for (JsonNode header : node.get("headers")) {
            Schema own = schema(header.get("schema"));
            headers.add(header.get("key").asText(), value(own, header.get("value")), own);
        }
        JsonNode partition = node.get("partition");
        JsonNode timestamp = node.get("timestamp");
        return new SourceRecord(null, null, node.get("topic").asText(), partition.isNull() ? null : partition.intValue(),
                keySchema, value(keySchema, node.get("key")), valueSchema, value(valueSchema, node.get("value")),
                timestamp.isNull() ? null : timestamp.longValue(), headers);
    }

    private static ObjectNode record(SourceRecord record) {
        ObjectNode node = JSON.createObjectNode();
        node.put("topic", record.topic());
        node.put("partition", record.kafkaPartition());
        node.put("timestamp", record.timestamp());
        node.set("keySchema", schema(record.keySchema()));
        node.set("key", value(record.key()));
        node.set("valueSchema", schema(record.valueSchema()));
        node.set("value", value(record.value()));
        ArrayNode headers = node.putArray("headers");
        for (Header header : record.headers()) {
            ObjectNode one = headers.addObject();
            one.put("key", header.key());
            one.set("schema", schema(header.schema()));
            one.set("value", value(header.value()));
        }
        return node;
    }

    private static Schema schema(JsonNode node) {
        if (node == null || node.isNull()) return null;
        Schema.Type type = Schema.Type.valueOf(node.get("type").asText().toUpperCase());
        List<Field> fields = null;
        if (type == Schema.Type.STRUCT) {
            fields = new ArrayList<>();
            for (JsonNode field : node.get("fields")) fields.add(new Field(field.get("field").asText(), fields.size(), schema(field.get("schema"))));
        }
        Map<String, String> parameters = null;
        if (node.has("parameters")) {
            parameters = new HashMap<>();
            for (Map.Entry<String, JsonNode> one : (Iterable<Map.Entry<String, JsonNode>>) () -> node.get("parameters").fields()) parameters.put(one.getKey(), one.getValue().asText());
        }
        Schema keys = schema(node.get("keys"));
        Schema items = schema(node.get("items"));
        boolean optional = node.get("optional").asBoolean();
        String name = node.has("name") ? node.get("name").asText() : null;
        Integer version = node.has("version") ? (Integer) node.get("version").intValue() : null;
        String doc = node.has("doc") ? node.get("doc").asText() : null;
        Schema plain = new ConnectSchema(type, optional, null, name, version, doc, parameters, fields, keys, items);
        if (!node.has("default")) return plain;
        Object value = value(plain, node.get("default"));
        return new ConnectSchema(type, optional, value, name, version, doc, parameters, fields, keys, items);
    }

    private static ObjectNode schema(Schema schema) {
        if (schema == null) return null;
        ObjectNode node = JSON.createObjectNode();
        node.put("type", schema.type().getName());
        node.put("optional", schema.isOptional());
        if (schema.name() != null) node.put("name", schema.name());
        if (schema.version() != null) node.put("version", schema.version());
        if (schema.doc() != null) node.put("doc", schema.doc());
        if (schema.parameters() != null && !schema.parameters().isEmpty()) {
            ObjectNode parameters = node.putObject("parameters");
            schema.parameters().forEach(parameters::put);
        }
        if (schema.defaultValue() != null) node.set("default", value(schema.defaultValue()));
        if (schema.type() == Schema.Type.STRUCT) {
            ArrayNode fields = node.putArray("fields");
            for (Field field : schema.fields()) {
                ObjectNode one = fields.addObject();
                one.put("field", field.name());
                one.set("schema", schema(field.schema()));
            }
        }
        if (schema.type() == Schema.Type.MAP && schema.keySchema() != null) node.set("keys", schema(schema.keySchema()));
        if ((schema.type() == Schema.Type.MAP || schema.type() == Schema.Type.ARRAY) && schema.valueSchema() != null) node.set("items", schema(schema.valueSchema()));
        return node;
    }

    private static Object value(Schema schema, JsonNode node) {
        if (node == null || node.isNull()) return null;
        String kind = node.fieldNames().next();
        JsonNode held = node.get(kind);
        switch (kind) {
            case "s": return held.asText();
            case "b": return held.asBoolean();
            case "i8": return Byte.valueOf(held.asText());
            case "i16": return Short.valueOf(held.asText());
            case "i32": return Integer.valueOf(held.asText());
            case "i64": return Long.valueOf(held.asText());
            case "f32": return Float.valueOf(held.asText());
            case "f64": return Double.valueOf(held.asText());
            case "x": return Base64.getDecoder().decode(held.asText());
            case "d": return new Date(held.asLong());
            case "n": return new BigDecimal(new BigInteger(held.get(0).asText()), held.get(1).asInt());
            case "l": {
                List<Object> list = new ArrayList<>();
                for (JsonNode item : held) list.add(value(schema == null ? null : schema.valueSchema(), item));
                return list;
            }
            case "m": {
                Map<Object, Object> map = new HashMap<>();
                for (JsonNode entry : held) {
                    Object key = value(schema == null ? null : schema.keySchema(), entry.get(0));
                    map.put(key, value(schema == null ? null : schema.valueSchema(), entry.get(1)));
                }
                return map;
            }
            case "r": {
                Struct struct = new Struct(schema);
                for (JsonNode entry : held) {
                    Field field = schema.field(entry.get(0).asText());
                    Object value = value(field.schema(), entry.get(1));
                    if (value != null) struct.put(field, value);
                }
                return struct;
            }
            default: throw new IllegalArgumentException(kind);
        }
    }

    private static JsonNode value(Object value) {
        if (value == null) return null;
        ObjectNode node = JSON.createObjectNode();
        if (value instanceof String) node.put("s", (String) value);
        else if (value instanceof Boolean) node.put("b", (Boolean) value);
        else if (value instanceof Byte) node.put("i8", value.toString());
        else if (value instanceof Short) node.put("i16", value.toString());
        else if (value instanceof Integer) node.put("i32", value.toString());
        else if (value instanceof Long) node.put("i64", value.toString());
        else if (value instanceof Float) node.put("f32", value.toString());
        else if (value instanceof Double) node.put("f64", value.toString());
        else if (value instanceof byte[]) node.put("x", Base64.getEncoder().encodeToString((byte[]) value));
        else if (value instanceof Date) node.put("d", ((Date) value).getTime());
        else if (value instanceof BigDecimal) {
            BigDecimal decimal = (BigDecimal) value;
            node.putArray("n").add(decimal.unscaledValue().toString()).add(decimal.scale());
        } else if (value instanceof List) {
            ArrayNode list = node.putArray("l");
            for (Object item : (List<?>) value) list.add(value(item));
        } else if (value instanceof Map) {
            ArrayNode map = node.putArray("m");
            ((Map<?, ?>) value).forEach((key, item) -> map.addArray().add(value(key)).add(value(item)));
        } else {
            Struct struct = (Struct) value;
            ArrayNode fields = node.putArray("r");
            for (Field field : struct.schema().fields()) fields.addArray().add(field.name()).add(value(struct.getWithoutDefault(field.name())));
        }
        return node;
    }
}
