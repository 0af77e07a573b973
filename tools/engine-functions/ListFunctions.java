import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.internal.TableEnvironmentInternal;
import org.apache.flink.table.planner.functions.sql.FlinkSqlOperatorTable;

/**
 * Prints what the planner on the class path knows: `function NAME` for each function that SQL can call, and `probe N accepted` or
 * `probe N refused MESSAGE` for each statement on standard input, one a line. Arguments are names that the planner may know without
 * listing them, because its parser makes something else of them. Nothing runs, and nothing is contacted.
 */
public final class ListFunctions {
    /** Functions that take other arguments say so, and not that there is no such function. */
    private static final int MOST_ARGUMENTS = 4;
    private static final Set<SqlSyntax> CALLS =
            Set.of(SqlSyntax.FUNCTION, SqlSyntax.FUNCTION_STAR, SqlSyntax.FUNCTION_ID, SqlSyntax.ORDERED_FUNCTION);

    private final TableEnvironment environment =
            TableEnvironment.create(EnvironmentSettings.inStreamingMode());

    public static void main(String[] arguments) throws Exception {
        ListFunctions list = new ListFunctions();
        list.createTable();
        for (String name : list.names(arguments)) System.out.println("function " + name);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        int number = 0;
        for (String sql = input.readLine(); sql != null; sql = input.readLine()) {
            String refused = list.refusal(sql);
            System.out.println("probe " + number++ + (refused == null ? " accepted" : " refused " + refused));
        }
    }

    private void createTable() {
        environment.executeSql(
                "CREATE TABLE t (s STRING, i INT, n DECIMAL(10, 2), ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector'='datagen')");
        environment.executeSql(
                "CREATE TABLE k (s STRING, i INT, PRIMARY KEY (s) NOT ENFORCED) WITH ('connector'='blackhole')");
    }

    /** The names of the planner's own operators, and those of the module that are more than building blocks of it. */
    private Set<String> names(String[] others) {
        Set<String> names = new TreeSet<>();
        for (SqlOperator operator : FlinkSqlOperatorTable.instance(false).getOperatorList()) {
            if (CALLS.contains(operator.getSyntax())) add(names, operator.getName());
        }
        for (String name : environment.listFunctions()) {
            if (isKnown(name.toUpperCase(Locale.ROOT))) add(names, name);
        }
        for (String name : others) {
            if (isKnown(name)) add(names, name);
        }
        return names;
    }

    private static void add(Set<String> names, String name) {
        // JSON_OBJECTAGG is two operators, by what follows its arguments
        String upper = name.toUpperCase(Locale.ROOT).replaceAll("_(ABSENT|NULL)_ON_NULL$", "");
        if (upper.matches("[A-Z][A-Z0-9_]*")) names.add(upper);
    }

    private boolean isKnown(String name) {
        for (int count = 0; count <= MOST_ARGUMENTS; count++) {
            String refused = refusal("SELECT " + name + "(" + String.join(", ", java.util.Collections.nCopies(count, "s")) + ") FROM t");
            if (refused == null) return true;
            if (refused.contains("Encountered") || refused.contains("Incorrect syntax")) continue;
            if (!refused.contains("No match found for function signature")) return true;
        }
        return false;
    }

    private String refusal(String sql) {
        try {
            environment.explainSql(sql);
            return null;
        } catch (Throwable failure) {
            Throwable cause = failure;
            while (cause.getCause() != null) cause = cause.getCause();
            return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        }
    }
}
