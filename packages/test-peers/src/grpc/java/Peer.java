import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.File;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogManager;

/**
 * A gRPC server made with grpc-java, for tests. Arguments: the file with the descriptor set and the folder with the
 * certificates. It listens on one loopback port for each way to be reached, and prints them as one line of JSON. It ends with
 * its standard input.
 */
public final class Peer {
  public static void main(String[] args) throws Exception {
    // Clients that break off are what tests are about.
    LogManager.getLogManager().reset();
    Feed feed = new Feed(files(Path.of(args[0])).get("teststream/stream.proto"));
    File folder = new File(args[1]);
    int plain = serve(feed, builder().permitKeepAliveTime(1, TimeUnit.MILLISECONDS).permitKeepAliveWithoutCalls(true));
    int tls = serve(feed, builder().sslContext(secured(folder).build()));
    int mtls =
        serve(
            feed,
            builder()
                .sslContext(
                    secured(folder)
                        .trustManager(new File(folder, "ca.pem"))
                        .clientAuth(ClientAuth.REQUIRE)
                        .build()));
    int strict = serve(feed, builder());
    int aged = serve(feed, aged(10_000));
    int cut = serve(feed, aged(100));
    System.out.printf(
        "{\"plain\":%d,\"tls\":%d,\"mtls\":%d,\"strict\":%d,\"aged\":%d,\"cut\":%d}%n",
        plain, tls, mtls, strict, aged, cut);
    while (System.in.read() != -1) {
      // Nothing is asked for this way.
    }
    System.exit(0);
  }

  private static NettyServerBuilder builder() {
    return NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0));
  }

  /** Ends connections: GOAWAY first, and after the grace whatever is still open. No age below a second is taken. */
  private static NettyServerBuilder aged(long graceMs) {
    return builder()
        .maxConnectionAge(1, TimeUnit.SECONDS)
        .maxConnectionAgeGrace(graceMs, TimeUnit.MILLISECONDS);
  }

  private static SslContextBuilder secured(File folder) {
    return GrpcSslContexts.forServer(new File(folder, "server.pem"), new File(folder, "server.key"));
  }

  private static int serve(Feed feed, NettyServerBuilder builder) throws Exception {
    Server server =
        builder
            .addService(ServerInterceptors.intercept(feed.service(), new Echo()))
            .addService(new HealthStatusManager().getHealthService())
            .addService(ProtoReflectionServiceV1.newInstance())
            .addService(reflectionV1Alpha())
            .build()
            .start();
    return server.getPort();
  }

  /** The reflection that older clients ask for. */
  @SuppressWarnings("deprecation")
  private static io.grpc.BindableService reflectionV1Alpha() {
    return io.grpc.protobuf.services.ProtoReflectionService.newInstance();
  }

  /** All files of the set by name; what a file imports stands before it. */
  private static Map<String, FileDescriptor> files(Path path) throws Exception {
    Map<String, FileDescriptor> made = new HashMap<>();
    for (FileDescriptorProto file : FileDescriptorSet.parseFrom(Files.readAllBytes(path)).getFileList()) {
      FileDescriptor[] imports =
          file.getDependencyList().stream().map(made::get).toArray(FileDescriptor[]::new);
      made.put(file.getName(), FileDescriptor.buildFrom(file, imports));
    }
    return made;
  }
}
