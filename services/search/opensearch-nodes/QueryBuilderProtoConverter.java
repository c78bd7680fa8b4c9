package org.opensearch.transport.grpc.spi;

/** An interface of OpenSearch's module for gRPC, which Maven does not have. The k-NN plugin has a class that implements it. */
public interface QueryBuilderProtoConverter {}
