import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.protobuf.ProtoFileDescriptorSupplier;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Answers the calls of the test service; the filter of the request says how. */
final class Feed {
  private static final String SERVICE = "teststream.TestStreamService";

  private final FileDescriptor file;
  private final Descriptor event;
  private final Descriptor request;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  /** What became of the calls that were given a name. */
  private final Map<String, Progress> progress = new ConcurrentHashMap<>();

  private record Progress(AtomicLong sent, AtomicBoolean over) {
    Progress() {
      this(new AtomicLong(), new AtomicBoolean());
    }
  }

  Feed(FileDescriptor file) {
    this.file = file;
    this.event = file.findMessageTypeByName("StreamEvent");
    this.request = file.findMessageTypeByName("StreamRequest");
  }

  ServerServiceDefinition service() {
    var events = method("StreamEvents", MethodType.SERVER_STREAMING, request);
    var exchange = method("Exchange", MethodType.BIDI_STREAMING, event);
    ServiceDescriptor description =
        ServiceDescriptor.newBuilder(SERVICE)
            .setSchemaDescriptor((ProtoFileDescriptorSupplier) () -> file)
            .addMethod(events)
            .addMethod(exchange)
            .build();
    return ServerServiceDefinition.builder(description)
        .addMethod(events, ServerCalls.asyncServerStreamingCall(this::streamEvents))
        .addMethod(exchange, ServerCalls.asyncBidiStreamingCall(Feed::exchange))
        .build();
  }

  private MethodDescriptor<DynamicMessage, DynamicMessage> method(String name, MethodType type, Descriptor takes) {
    return MethodDescriptor.<DynamicMessage, DynamicMessage>newBuilder()
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .setRequestMarshaller(ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(takes)))
        .setResponseMarshaller(ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(event)))
        .build();
  }

  /** Sends back what it gets. */
  private static StreamObserver<DynamicMessage> exchange(StreamObserver<DynamicMessage> answers) {
    return answers;
  }

  private void streamEvents(DynamicMessage message, StreamObserver<DynamicMessage> observer) {
    var answers = (ServerCallStreamObserver<DynamicMessage>) observer;
    Request asked =
        Request.parse(
            (String) message.getField(request.findFieldByName("filter")),
            (Integer) message.getField(request.findFieldByName("interval_ms")));
    if (asked.has("gzip")) {
      answers.setCompression("gzip");
      answers.setMessageCompression(true);
    }
    if (asked.has("echo")) {
      answers.onNext(encode(1, "echo", Echo.current()));
      answers.onCompleted();
    } else if (asked.has("stat")) {
      Progress of = progressOf(asked.text("stat"));
      answers.onNext(encode(1, "stat", "{\"sent\":" + of.sent() + ",\"over\":" + of.over() + "}"));
      answers.onCompleted();
    } else {
      Readiness readiness = new Readiness(answers);
      threads.execute(() -> send(asked, answers, readiness));
    }
  }

  private void send(Request asked, ServerCallStreamObserver<DynamicMessage> answers, Readiness readiness) {
    Progress named = progressOf(asked.text("name"));
    try {
      long count = asked.number("count", Long.MAX_VALUE);
      long after = asked.number("after", 0);
      int size = (int) asked.number("size", 5);
      String payload = "0123456789abcdef".repeat(size / 16 + 1).substring(0, size);
      for (long sent = 0; sent < count && readiness.await(); sent++) {
        answers.onNext(encode(after + sent + 1, "test", payload));
        named.sent().incrementAndGet();
        Thread.sleep(asked.intervalMs());
      }
      if (asked.has("hold")) {
        readiness.awaitEnd();
      }
      if (answers.isCancelled()) {
        return;
      }
      Status end = asked.end();
      if (end.isOk()) {
        answers.onCompleted();
      } else {
        answers.onError(end.asRuntimeException());
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      named.over().set(true);
    }
  }

  private Progress progressOf(String name) {
    return progress.computeIfAbsent(name, ignored -> new Progress());
  }

  private DynamicMessage encode(long sequence, String eventType, String payload) {
    return DynamicMessage.newBuilder(event)
        .setField(event.findFieldByName("event_id"), "event-" + sequence)
        .setField(event.findFieldByName("event_type"), eventType)
        .setField(event.findFieldByName("payload"), payload)
        .setField(event.findFieldByName("sequence"), sequence)
        .build();
  }
}
