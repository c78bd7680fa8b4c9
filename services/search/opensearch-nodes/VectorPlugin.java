import java.util.Collection;
import java.util.function.Supplier;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.knn.plugin.KNNPlugin;
import org.opensearch.repositories.RepositoriesService;
import org.opensearch.script.ScriptService;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.grpc.spi.QueryBuilderProtoConverter;
import org.opensearch.watcher.ResourceWatcherService;

/** The k-NN plugin without its converter of gRPC requests, which needs a module that Maven does not have. */
public class VectorPlugin extends KNNPlugin {
    @Override
    public Collection<Object> createComponents(
        Client client,
        ClusterService clusterService,
        ThreadPool threadPool,
        ResourceWatcherService watcher,
        ScriptService scripts,
        NamedXContentRegistry contents,
        Environment environment,
        NodeEnvironment node,
        NamedWriteableRegistry writeables,
        IndexNameExpressionResolver names,
        Supplier<RepositoriesService> repositories
    ) {
        return super
            .createComponents(
                client, clusterService, threadPool, watcher, scripts, contents, environment, node, writeables, names, repositories
            )
            .stream()
            .filter(component -> !(component instanceof QueryBuilderProtoConverter))
            .toList();
    }
}
