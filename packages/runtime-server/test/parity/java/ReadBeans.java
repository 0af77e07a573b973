import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Answers each line of its input, a port on loopback and a pattern of object names, with what JMX shows there: an object of
 * attributes and values by canonical name. A number that is not finite is null.
 */
public class ReadBeans {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.isEmpty()) continue;
            String[] words = line.split(" ", 2);
            JMXServiceURL url = new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + words[0] + "/jmxrmi");
            try (JMXConnector connector = JMXConnectorFactory.connect(url)) {
                System.out.println(JSON.writeValueAsString(read(connector.getMBeanServerConnection(), words[1])));
            }
        }
    }

    private static ObjectNode read(MBeanServerConnection beans, String pattern) throws Exception {
        ObjectNode all = JSON.createObjectNode();
        for (ObjectName name : beans.queryNames(new ObjectName(pattern), null)) {
            ObjectNode bean = all.putObject(name.getCanonicalName());
            for (MBeanAttributeInfo attribute : beans.getMBeanInfo(name).getAttributes()) {
                Object value = beans.getAttribute(name, attribute.getName());
                if (!(value instanceof Number)) bean.put(attribute.getName(), String.valueOf(value));
                else if (Double.isFinite(((Number) value).doubleValue()))
                    bean.put(attribute.getName(), ((Number) value).doubleValue());
                else bean.putNull(attribute.getName());
            }
        }
        return all;
    }
}
