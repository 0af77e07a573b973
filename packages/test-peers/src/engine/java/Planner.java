import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.flink.sql.parser.impl.ParseException;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.internal.TableEnvironmentImpl;
import org.apache.flink.table.api.internal.TableEnvironmentInternal;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.operations.ModifyOperation;
import org.apache.flink.table.operations.Operation;
import org.apache.flink.table.operations.QueryOperation;
import org.apache.flink.table.operations.StatementSetOperation;
import org.apache.flink.table.planner.delegation.PlannerBase;
import org.apache.flink.table.planner.operations.PlannerQueryOperation;
import org.apache.flink.table.planner.plan.metadata.FlinkRelMetadataQuery;
import org.apache.flink.table.planner.plan.nodes.physical.stream.StreamPhysicalRel;
import org.apache.flink.table.planner.plan.utils.ChangelogPlanUtils;
import org.apache.flink.types.RowKind;

/**
 * Plans statements and runs none. Reads one JSON object a line, {"statements": [...]}, and answers each with one line, in order:
 * {"ok": true, "columns": [{"name", "type"}], "changelog": ["I", ...], "literals": ["text", ...], "keys": [["column", ...], ...]},
 * the last four for a query as last statement, or {"ok": false, "statement": n, "line", "column", "text", "message"}. Each object
 * has an environment of its own. Nothing is contacted.
 */
public final class Planner {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern SETTING = Pattern.compile("SET\\s+'((?:[^']|'')*)'\\s*=\\s*'((?:[^']|'')*)'\\s*;?\\s*", Pattern.CASE_INSENSITIVE);
    private static final Pattern AT = Pattern.compile("line (\\d+), column (\\d+)");

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err);
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            byte[] answer = JSON.writeValueAsBytes(answer(JSON.readTree(line)));
            answers.write(answer, 0, answer.length);
            answers.write('\n');
            answers.flush();
        }
    }

    private static ObjectNode answer(JsonNode request) {
        TableEnvironmentImpl environment = (TableEnvironmentImpl) TableEnvironment.create(EnvironmentSettings.inStreamingMode());
        environment.getConfig().set("table.local-time-zone", "UTC");
        ObjectNode answer = JSON.createObjectNode();
        int number = 0;
        try {
            for (JsonNode statement : request.get("statements")) {
                plan(environment, statement.asText(), answer);
                number++;
            }
            answer.put("ok", true);
        } catch (Throwable failure) {
            answer.removeAll();
            answer.put("ok", false).put("statement", number);
            describe(failure, answer);
        }
        return answer;
    }

    private static void plan(TableEnvironmentImpl environment, String sql, ObjectNode answer) {
        Matcher setting = SETTING.matcher(sql);
        if (setting.matches()) {
            environment.getConfig().set(unquoted(setting.group(1)), unquoted(setting.group(2)));
            return;
        }
        List<Operation> operations = ((TableEnvironmentInternal) environment).getParser().parse(sql);
        if (operations.size() != 1) throw new IllegalArgumentException("not one statement but " + operations.size());
        Operation operation = operations.get(0);
        if (operation instanceof QueryOperation) {
            describe(environment, (QueryOperation) operation, answer);
        } else if (operation instanceof StatementSetOperation) {
            environment.explainInternal(List.copyOf(((StatementSetOperation) operation).getOperations()));
        } else if (operation instanceof ModifyOperation) {
            environment.explainInternal(List.of(operation));
        } else {
            environment.executeInternal(operation);
        }
    }

    /** Columns, changes and keys of a query as the optimizer finds them. */
    private static void describe(TableEnvironmentImpl environment, QueryOperation query, ObjectNode answer) {
        environment.explainInternal(List.of(query));
        PlannerBase planner = (PlannerBase) environment.getPlanner();
        RelNode optimized = planner.optimize(planner.createRelBuilder().queryOperation(query).build());
        ArrayNode columns = answer.putArray("columns");
        List<String> names = new ArrayList<>();
        for (Column column : query.getResolvedSchema().getColumns()) {
            names.add(column.getName());
            columns.addObject().put("name", column.getName()).put("type", column.getDataType().toString());
        }
        ChangelogMode mode = ChangelogPlanUtils.getChangelogMode((StreamPhysicalRel) optimized).get();
        ArrayNode changes = answer.putArray("changelog");
        for (RowKind kind : mode.getContainedKinds()) {
            if (kind != RowKind.UPDATE_BEFORE) changes.add(kind == RowKind.INSERT ? "I" : kind == RowKind.DELETE ? "D" : "UA");
        }
        ArrayNode literals = answer.putArray("literals");
        for (RexNode selected : selected(query)) {
            if (selected instanceof RexLiteral && SqlTypeUtil.inCharFamily(selected.getType())) {
                literals.add(((RexLiteral) selected).getValueAs(String.class));
            }
        }
        Set<ImmutableBitSet> keys = FlinkRelMetadataQuery.reuseOrCreate(optimized.getCluster().getMetadataQuery()).getUpsertKeys(optimized);
        ArrayNode found = answer.putArray("keys");
        if (keys == null) return;
        for (ImmutableBitSet key : keys) {
            ArrayNode one = found.addArray();
            for (int index : key) one.add(names.get(index));
        }
    }

    private static List<RexNode> selected(QueryOperation query) {
        RelNode tree = ((PlannerQueryOperation) query).getCalciteTree();
        return tree instanceof Project ? ((Project) tree).getProjects() : List.of();
    }

    private static String unquoted(String text) {
        return text.replace("''", "'");
    }

    private static void describe(Throwable failure, ObjectNode answer) {
        Throwable last = failure;
        StringBuilder text = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            last = cause;
            text.append(text.length() == 0 ? "" : "\nCaused by: ").append(cause);
            if (cause instanceof CalciteContextException && ((CalciteContextException) cause).getPosLine() > 0) {
                answer.put("line", ((CalciteContextException) cause).getPosLine());
                answer.put("column", ((CalciteContextException) cause).getPosColumn());
            }
        }
        answer.put("text", text.toString());
        String message = String.valueOf(last.getMessage());
        Matcher at = AT.matcher(message);
        if (!answer.has("line") && last instanceof ParseException && at.find()) {
            answer.put("line", Integer.parseInt(at.group(1))).put("column", Integer.parseInt(at.group(2)));
        }
        answer.put("message", last.getMessage() == null ? last.toString() : message);
    }
}
