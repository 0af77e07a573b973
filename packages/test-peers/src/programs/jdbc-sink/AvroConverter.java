package io.confluent.connect.avro;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.storage.Converter;

/**
 * Confluent's converter is not on Maven Central. This one has its class name and its key `schema.registry.url`, and reads and writes
 * its form of records, a zero byte and an id of four bytes, with Apicurio's converter.
 */
public class AvroConverter implements Converter {
  private final Converter apicurio = new io.apicurio.registry.utils.converter.AvroConverter<Object>();

  @Override
  public void configure(Map<String, ?> configs, boolean isKey) {
    String url = String.valueOf(configs.get("schema.registry.url"));
    Map<String, Object> own = new HashMap<>(configs);
    own.put("apicurio.registry.url", url.replace("/apis/ccompat/v7", "/apis/registry/v2"));
    own.put("apicurio.registry.as-confluent", "true");
    own.put("apicurio.registry.use-id", "contentId");
    own.put("apicurio.registry.headers.enabled", "false");
    apicurio.configure(own, isKey);
  }

  @Override
  public byte[] fromConnectData(String topic, Schema schema, Object value) {
    return apicurio.fromConnectData(topic, schema, value);
  }

  @Override
  public SchemaAndValue toConnectData(String topic, byte[] value) {
    return value == null ? SchemaAndValue.NULL : apicurio.toConnectData(topic, value);
  }
}
