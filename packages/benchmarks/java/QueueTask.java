import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/** What a task does between its connection and Connect: a bounded queue, which drops what finds it full. */
abstract class QueueTask extends SourceTask {
  private static final int CAPACITY = 10_000;
  private static final long WAIT_MS = 100;

  private final LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>(CAPACITY);
  private String topic;
  private long sequence;

  @Override
  public final void start(Map<String, String> config) {
    topic = config.get("topic");
    try {
      open(config);
    } catch (Exception problem) {
      throw new IllegalStateException(problem);
    }
  }

  /** Opens the connection. */
  abstract void open(Map<String, String> config) throws Exception;

  /** Called by the connection for each message; false when it is dropped. */
  final boolean offer(String value) {
    return queue.offer(value);
  }

  @Override
  public final List<SourceRecord> poll() throws InterruptedException {
    String first = queue.poll(WAIT_MS, TimeUnit.MILLISECONDS);
    if (first == null) {
      return null;
    }
    List<String> values = new ArrayList<>();
    values.add(first);
    queue.drainTo(values);
    long now = System.currentTimeMillis();
    List<SourceRecord> records = new ArrayList<>(values.size());
    for (String value : values) {
      Map<String, ?> offset = Map.of("sequence", ++sequence);
      records.add(
          new SourceRecord(
              Map.of("topic", topic), offset, topic, null, null, null, Schema.STRING_SCHEMA, value, now));
    }
    return records;
  }

  @Override
  public final String version() {
    return "1";
  }
}
