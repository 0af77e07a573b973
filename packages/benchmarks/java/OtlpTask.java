import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.collector.trace.v1.TraceServiceGrpc;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Receives traces by OTLP. An export that finds the queue full is refused. Keys: grpc.port, http.port. */
public final class OtlpTask extends QueueTask {
  private final JsonFormat.Printer printer = JsonFormat.printer().omittingInsignificantWhitespace();
  private final ExecutorService threads = Executors.newFixedThreadPool(8);
  private Server grpc;
  private HttpServer http;

  @Override
  void open(Map<String, String> config) throws IOException {
    grpc = NettyServerBuilder.forAddress(address(config.get("grpc.port"))).addService(new Traces()).build().start();
    // Without it the last piece of each answer waits for an acknowledgement of the piece before.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    http = HttpServer.create(address(config.get("http.port")), 0);
    http.createContext("/v1/traces", this::answer);
    http.setExecutor(threads);
    http.start();
  }

  private static InetSocketAddress address(String port) {
    return new InetSocketAddress("127.0.0.1", Integer.parseInt(port));
  }

  private boolean take(Message message) {
    try {
      return offer(printer.print(message));
    } catch (InvalidProtocolBufferException problem) {
      throw new IllegalArgumentException(problem);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean taken = take(ExportTraceServiceRequest.parseFrom(exchange.getRequestBody().readAllBytes()));
      exchange.getResponseHeaders().set("content-type", "application/x-protobuf");
      exchange.sendResponseHeaders(taken ? 200 : 503, -1);
    }
  }

  private final class Traces extends TraceServiceGrpc.TraceServiceImplBase {
    @Override
    public void export(ExportTraceServiceRequest request, StreamObserver<ExportTraceServiceResponse> observer) {
      if (take(request)) {
        observer.onNext(ExportTraceServiceResponse.getDefaultInstance());
        observer.onCompleted();
      } else {
        observer.onError(io.grpc.Status.UNAVAILABLE.withDescription("queue full").asException());
      }
    }
  }

  @Override
  public void stop() {
    if (grpc != null) {
      grpc.shutdownNow();
    }
    if (http != null) {
      http.stop(0);
    }
    threads.shutdownNow();
  }
}
