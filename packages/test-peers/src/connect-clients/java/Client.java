import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.sourcelab.kafka.connect.apiclient.Configuration;
import org.sourcelab.kafka.connect.apiclient.KafkaConnectClient;
import org.sourcelab.kafka.connect.apiclient.request.dto.ConnectorPluginConfigDefinition;
import org.sourcelab.kafka.connect.apiclient.request.dto.NewConnectorDefinition;
import org.sourcelab.kafka.connect.apiclient.request.post.PostConnectorRestart;
import org.sourcelab.kafka.connect.apiclient.rest.exceptions.InvalidRequestException;

/** Calls Kafka Connect with kafka-connect-client: reads one call a line and writes one outcome a line. */
public final class Client {
  /** Writes what the library returns under Kafka Connect's names. */
  private static final ObjectMapper JSON =
      new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);

  public static void main(String[] args) throws IOException {
    KafkaConnectClient client = new KafkaConnectClient(new Configuration(args[0]));
    PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      output.println(JSON.writeValueAsString(outcome(client, JSON.readTree(line))));
    }
  }

  private static Map<String, Object> outcome(KafkaConnectClient client, JsonNode call) {
    Map<String, Object> outcome = new LinkedHashMap<>();
    try {
      outcome.put("value", answer(client, call));
    } catch (InvalidRequestException refused) {
      outcome.put("status", refused.getErrorCode());
      outcome.put("message", refused.getMessage());
    } catch (RuntimeException problem) {
      outcome.put("problem", problem.toString());
    }
    return outcome;
  }

  private static Object answer(KafkaConnectClient client, JsonNode call) {
    String name = call.path("name").asText();
    int task = call.path("task").asInt();
    return switch (call.get("call").asText()) {
      case "root" -> client.getConnectServerVersion();
      case "plugins" -> client.getConnectorPlugins().stream()
          .map(plugin -> Map.of("class", plugin.getClassName(), "type", plugin.getType()))
          .collect(Collectors.toList());
      case "validate" -> client.validateConnectorPluginConfig(
          new ConnectorPluginConfigDefinition(call.get("plugin").asText(), config(call)));
      case "list" -> client.getConnectors();
      case "expanded" -> expanded(client);
      case "create" -> client.addConnector(new NewConnectorDefinition(name, config(call)));
      case "connector" -> client.getConnector(name);
      case "config" -> client.getConnectorConfig(name);
      case "update" -> client.updateConnectorConfig(name, config(call));
      case "status" -> client.getConnectorStatus(name);
      case "tasks" -> client.getConnectorTasks(name);
      case "taskStatus" -> client.getConnectorTaskStatus(name, task);
      case "topics" -> {
        var topics = client.getConnectorTopics(name);
        yield Map.of(topics.getName(), Map.of("topics", topics.getTopics()));
      }
      case "resetTopics" -> client.resetConnectorTopics(name);
      case "pause" -> client.pauseConnector(name);
      case "resume" -> client.resumeConnector(name);
      case "stop" -> client.stopConnector(name);
      case "restart" -> client.restartConnector(new PostConnectorRestart(name)
          .withIncludeTasks(call.path("includeTasks").asBoolean())
          .withOnlyFailed(call.path("onlyFailed").asBoolean()));
      case "restartTask" -> client.restartConnectorTask(name, task);
      case "delete" -> client.deleteConnector(name);
      default -> throw new IllegalArgumentException("the client has no call " + call.get("call"));
    };
  }

  private static Object expanded(KafkaConnectClient client) {
    var all = client.getConnectorsWithAllExpandedMetadata();
    return all.getConnectorNames().stream().collect(Collectors.toMap(
        name -> name,
        name -> Map.of("info", all.getDefinitionForConnector(name), "status", all.getStatusForConnector(name))));
  }

  private static Map<String, String> config(JsonNode call) {
    return JSON.convertValue(call.get("config"), new TypeReference<Map<String, String>>() {});
  }
}
