import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.common.InstrumentationLibraryInfo;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.List;

/** The span that all programs here send. */
final class Story implements SpanData {
  private static final String TRACE = "5b8efff798038103d269b633813fc60c";
  private static final long BEGIN = 1544712660000000001L;
  private static final long END = 1544712661999999999L;

  private static final Attributes EVERY_KIND =
      Attributes.builder()
          .put("bool", true)
          .put("bool.false", false)
          .put("int.highest", Long.MAX_VALUE)
          .put("int.lowest", Long.MIN_VALUE)
          .put("int.zero", 0L)
          .put("double", 0.1)
          .put("double.whole", 3.0)
          .put("double.large", 1e21)
          .put("double.smallest", Double.MIN_VALUE)
          .put("double.nan", Double.NaN)
          .put("double.above", Double.POSITIVE_INFINITY)
          .put("double.below", Double.NEGATIVE_INFINITY)
          .put("double.zero", -0.0)
          .put("text", "gr\u00fcn \ud83d\ude00 \"\\/\0\u2028")
          .put("text.empty", "")
          .put("texts", "a", "")
          .put("ints", 1, -2)
          .put("doubles", new double[] {0.5})
          .put("bools", true, false)
          .put(AttributeKey.stringArrayKey("none"), List.of())
          .put("__proto__", "plain")
          .build();

  private static SpanContext inTrace(String span, TraceState state) {
    return SpanContext.create(TRACE, span, TraceFlags.getDefault(), state);
  }

  @Override
  public String getName() {
    return "buy";
  }

  @Override
  public SpanKind getKind() {
    return SpanKind.SERVER;
  }

  @Override
  public SpanContext getSpanContext() {
    var state = TraceState.builder().put("other", "2").put("vendor", "1").build();
    return inTrace("eee19b7ec3c1b174", state);
  }

  @Override
  public SpanContext getParentSpanContext() {
    return inTrace("eee19b7ec3c1b173", TraceState.getDefault());
  }

  @Override
  public StatusData getStatus() {
    return StatusData.create(io.opentelemetry.api.trace.StatusCode.ERROR, "out of stock");
  }

  @Override
  public long getStartEpochNanos() {
    return BEGIN;
  }

  @Override
  public long getEndEpochNanos() {
    return END;
  }

  @Override
  public Attributes getAttributes() {
    return EVERY_KIND;
  }

  @Override
  public int getTotalAttributeCount() {
    return EVERY_KIND.size() + 1;
  }

  @Override
  public List<EventData> getEvents() {
    return List.of(
        EventData.create(END, "paid", Attributes.builder().put("amount", 9.5).build(), 5),
        EventData.create(END, "bare", Attributes.empty()));
  }

  @Override
  public int getTotalRecordedEvents() {
    return 4;
  }

  @Override
  public List<LinkData> getLinks() {
    var linked = inTrace("eee19b7ec3c1b172", TraceState.getDefault());
    return List.of(LinkData.create(linked, Attributes.builder().put("why", "batch").build(), 6));
  }

  @Override
  public int getTotalRecordedLinks() {
    return 4;
  }

  @Override
  public boolean hasEnded() {
    return true;
  }

  @Override
  public InstrumentationScopeInfo getInstrumentationScopeInfo() {
    return InstrumentationScopeInfo.builder("checkout")
        .setVersion("1.2.3")
        .setSchemaUrl("https://schema.test/2")
        .build();
  }

  @Override
  @Deprecated
  public InstrumentationLibraryInfo getInstrumentationLibraryInfo() {
    return InstrumentationLibraryInfo.empty();
  }

  @Override
  public Resource getResource() {
    return Resource.create(Attributes.builder().put("service.name", "shop").build(), "https://schema.test/1");
  }
}
