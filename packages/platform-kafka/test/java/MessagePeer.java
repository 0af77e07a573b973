import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/**
 * Kafka's own classes of messages. Answers each line "write NAME VERSION JSON" and "default NAME VERSION" with the bytes in hexadecimal,
 * "definition NAME" with the definition in base64; "refused: ..." when Kafka refuses the value.
 */
public class MessagePeer {
    private static final String PACKAGE = "org.apache.kafka.common.message.";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    public static void main(String[] args) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        StringBuilder output = new StringBuilder();
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            output.append(answer(line.split(" ", 4))).append('\n');
        }
        System.out.print(output);
    }

    private static String answer(String[] words) throws Exception {
        if (words[0].equals("definition")) return definition(words[1]);
        short version = Short.parseShort(words[2]);
        try {
            Message message = words[0].equals("write") ? fromJson(words[1], version, MAPPER.readTree(words[3])) : byDefault(words[1]);
            return HexFormat.of().formatHex(bytes(message, version));
        } catch (Exception thrown) {
            Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause();
            return "refused: " + String.valueOf(cause.getMessage()).replace('\n', ' ');
        }
    }

    private static String definition(String name) throws Exception {
        try (InputStream stream = MessagePeer.class.getResourceAsStream("/common/message/" + name + ".json")) {
            return Base64.getEncoder().encodeToString(stream.readAllBytes());
        }
    }

    private static Message fromJson(String name, short version, JsonNode json) throws Exception {
        Class<?> converter = Class.forName(PACKAGE + name + "DataJsonConverter");
        return (Message) converter.getMethod("read", JsonNode.class, short.class).invoke(null, json, version);
    }

    private static Message byDefault(String name) throws Exception {
        return (Message) Class.forName(PACKAGE + name + "Data").getConstructor().newInstance();
    }

    private static byte[] bytes(Message message, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer buffer = ByteBuffer.allocate(message.size(cache, version));
        message.write(new ByteBufferAccessor(buffer), cache, version);
        return buffer.array();
    }
}
