import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.table.gateway.SqlGateway;
import org.apache.flink.table.gateway.service.context.DefaultContext;
import org.apache.flink.table.gateway.service.session.SessionManager;

/**
 * A cluster in this process, and a SQL gateway that submits to it over HTTP as to any other. Prints one line when both serve,
 * {"gateway": URL, "cluster": URL}, both on 127.0.0.1, and ends with its standard input. Its state is in the folder that is the
 * first argument.
 */
public final class Engine {
    /** Each job takes as many as its parallelism; they cost nothing while they are free. */
    private static final int SLOTS = 32;

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        Configuration cluster = configuration(folder);
        cluster.setString("rest.port", "0");
        MiniCluster running = new MiniCluster(
            new MiniClusterConfiguration.Builder().setConfiguration(cluster).setNumTaskManagers(1).setNumSlotsPerTaskManager(SLOTS).build());
        running.start();
        URI rest = running.getRestAddress().get();

        int port = freePort();
        Configuration submitting = configuration(folder);
        submitting.setString("execution.target", "remote");
        submitting.setString("rest.port", String.valueOf(rest.getPort()));
        submitting.setString("sql-gateway.endpoint.rest.address", "127.0.0.1");
        submitting.setString("sql-gateway.endpoint.rest.bind-address", "127.0.0.1");
        submitting.setString("sql-gateway.endpoint.rest.port", String.valueOf(port));
        SqlGateway gateway = new SqlGateway(submitting, SessionManager.create(new DefaultContext(submitting, List.of())));
        gateway.start();
        System.out.println("{\"gateway\":\"http://127.0.0.1:" + port + "\",\"cluster\":\"http://127.0.0.1:" + rest.getPort() + "\"}");

        while (System.in.read() >= 0) {}
        // There is nothing to keep, and an orderly end would wait for the jobs.
        Runtime.getRuntime().halt(0);
    }

    private static Configuration configuration(Path folder) throws Exception {
        Configuration configuration = new Configuration();
        configuration.setString("rest.address", "127.0.0.1");
        configuration.setString("rest.bind-address", "127.0.0.1");
        configuration.setString("io.tmp.dirs", Files.createDirectories(folder.resolve("work")).toString());
        configuration.setString("parallelism.default", "1");
        // A window takes a few megabytes of the managed memory of its slot; it is reserved only as it is used.
        configuration.setString("taskmanager.memory.network.min", "32m");
        configuration.setString("taskmanager.memory.network.max", "32m");
        configuration.setString("taskmanager.memory.managed.size", "512m");
        return configuration;
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
