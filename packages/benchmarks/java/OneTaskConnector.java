import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.SourceConnector;

/** A connector with one task, which gets its configuration as it is. */
abstract class OneTaskConnector extends SourceConnector {
  private final Class<? extends Task> task;
  private Map<String, String> config;

  OneTaskConnector(Class<? extends Task> task) {
    this.task = task;
  }

  @Override
  public void start(Map<String, String> given) {
    config = given;
  }

  @Override
  public Class<? extends Task> taskClass() {
    return task;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int most) {
    return List.of(config);
  }

  @Override
  public void stop() {
    // The task holds everything.
  }

  @Override
  public ConfigDef config() {
    return new ConfigDef()
        .define("topic", ConfigDef.Type.STRING, ConfigDef.Importance.HIGH, "Topic of the records");
  }

  @Override
  public String version() {
    return "1";
  }
}
