import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.codelibs.opensearch.runner.node.OpenSearchRunnerNode;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.reindex.ReindexModulePlugin;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.painless.PainlessModulePlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.transport.Netty4ModulePlugin;

/**
 * Nodes of one cluster in this JVM, for tests. Arguments: a folder, then for each node its ports for HTTP and for the cluster, as `9200:9300`.
 * Commands on standard input: `close 0` and `open 0`. It ends with standard input.
 */
public class OpenSearchNodes {
    private static final List<Class<? extends Plugin>> PLUGINS = List.of(
        Netty4ModulePlugin.class,
        CommonAnalysisModulePlugin.class,
        PainlessModulePlugin.class,
        ReindexModulePlugin.class,
        VectorPlugin.class
    );

    private static Node open(Path folder, List<String[]> ports, int number) throws Exception {
        String name = "node-" + number;
        Settings settings = Settings.builder()
            .put("cluster.name", "kiln")
            .put("node.name", name)
            .put("path.home", folder.resolve("home").toString())
            .put("path.data", folder.resolve(name).toString())
            .put("network.host", "127.0.0.1")
            .put("http.port", ports.get(number)[0])
            .put("http.type", "netty4")
            .put("transport.port", ports.get(number)[1])
            .put("transport.type", "netty4")
            .putList("discovery.seed_hosts", ports.stream().map(pair -> "127.0.0.1:" + pair[1]).toList())
            .putList("cluster.initial_cluster_manager_nodes", "node-0")
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
        var environment =
            InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), folder.resolve("home/config"), () -> name);
        Node node = new OpenSearchRunnerNode(environment, PLUGINS);
        node.start();
        return node;
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        List<String[]> ports = List.of(arguments).subList(1, arguments.length).stream().map(pair -> pair.split(":")).toList();
        Node[] nodes = new Node[ports.size()];
        for (int number = 0; number < nodes.length; number++) nodes[number] = open(folder, ports, number);
        System.out.println("done");
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            int number = Integer.parseInt(line.split(" ")[1]);
            if (line.startsWith("close")) nodes[number].close();
            else nodes[number] = open(folder, ports, number);
            System.out.println("done");
        }
        Runtime.getRuntime().halt(0);
    }
}
