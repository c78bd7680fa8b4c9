// The import law. Each rule's comment is what a developer reads when CI refuses the import.
/** Files of services in one of these layers: the suffix names the layer. */
const layer = (suffixes) => `^services/.+\\.(${suffixes})\\.ts$`;
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    rule(
      'no-cycles',
      'Modules that need each other are one module, or miss a third. See docs/adr/0002.',
      {},
      { circular: true },
    ),
    rule(
      'service-never-imports-service',
      'Services speak over the bus, through contracts; never by import. See docs/adr/0002.',
      { path: '^services/([^/]+)/' },
      { path: '^services/([^/]+)/', pathNot: '^services/$1/' },
    ),
    rule(
      'packages-never-import-services',
      'A library does not know who uses it.',
      { path: '^packages/' },
      { path: '^services/' },
    ),
    rule(
      'contracts-import-only-zod',
      'Contracts are what everyone shares, so they may depend on nothing but zod.',
      { path: '^packages/contracts/src', pathNot: '\\.spec\\.ts$' },
      { pathNot: ['^packages/contracts/', 'node_modules/.*zod'] },
    ),
    rule(
      'platform-knows-only-contracts-and-resilience',
      'Platform may import contracts and resilience, and nothing else of ours.',
      { path: '^packages/platform/src', pathNot: '\\.spec\\.ts$|/src/fixtures/' },
      { path: '^(packages/(?!contracts|platform|resilience)|services|infra|acceptance|bench)' },
    ),
    rule(
      'technical-packages-stand-alone',
      'Storage, extraction and what reads documents, outbound and resilience import neither services nor the platform.',
      {
        path: '^packages/(storage|extraction|chunks|model-clients|readers|ocr|pdf|file-types|outbound|parquet|resilience)/src',
        pathNot: '\\.spec\\.ts$|/src/test-support/',
      },
      { path: '^(packages/platform|services|infra)' },
    ),
    rule(
      'pdf-knows-nothing-of-kiln',
      'extraction → readers → ocr → pdf: a page is read without knowing who asks.',
      { path: '^packages/pdf/src', pathNot: '\\.spec\\.ts$' },
      { path: '^(packages/(?!pdf)|services|infra|acceptance|bench)' },
    ),
    rule(
      'ocr-knows-only-pdf',
      'extraction → readers → ocr → pdf: what is recognized has the form of a page of a PDF.',
      { path: '^packages/ocr/src', pathNot: '\\.spec\\.ts$' },
      { path: '^(packages/(?!ocr|pdf)|services|infra|acceptance|bench)' },
    ),
    rule(
      'readers-know-only-types-ocr-and-pdf',
      'extraction → readers → ocr → pdf: a reader knows neither sandbox nor remote engine.',
      { path: '^packages/readers/src', pathNot: '\\.spec\\.ts$' },
      { path: '^(packages/(?!readers|file-types|ocr|pdf)|services|infra|acceptance|bench)' },
    ),
    rule(
      'search-reads-no-documents',
      'Chunks and the clients of model servers serve search too, whose image has no reader of documents.',
      { path: '^packages/(chunks|model-clients)/src', pathNot: '\\.spec\\.ts$' },
      { path: '^packages/(extraction|readers|ocr)/' },
    ),
    rule(
      'file-types-stand-alone',
      'Services that receive files find their types without the code that reads files.',
      { path: '^packages/file-types/src' },
      { path: '^(packages/(?!file-types)|services|infra|acceptance|bench)' },
    ),
    rule(
      'resilience-depends-on-nothing',
      'Any package may use resilience, so it uses none of them.',
      { path: '^packages/resilience/src', pathNot: '\\.spec\\.ts$' },
      { path: '^(packages/(?!resilience)|services|infra|acceptance|bench)' },
    ),
    rule(
      'sdk-depends-on-nothing-of-kiln',
      'The SDK is published without the rest of Kiln. What it shares with the API is generated from the OpenAPI document.',
      { path: '^packages/sdk/' },
      { path: '^(packages/(?!sdk/)|services|infra|acceptance|bench)' },
    ),
    rule(
      'sdk-runs-in-browsers',
      'Modules of Node belong into the entry `@kiln/sdk/node`. Browsers load all others.',
      { path: '^packages/sdk/src/', pathNot: '\\.spec\\.ts$|/src/(node|fixtures)/' },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'sdk-depends-on-standardwebhooks-only',
      'Whoever loads the client loads no library with it.',
      { path: '^packages/sdk/src/', pathNot: '\\.spec\\.ts$|/src/(webhooks|testing)\\.ts$' },
      { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'] },
    ),
    rule(
      'cli-reaches-kiln-through-the-sdk',
      'The command line is published with the SDK and without the rest of Kiln.',
      { path: '^packages/cli/' },
      { path: '^(packages/(?!cli/|sdk/)|services|infra|acceptance|bench)' },
    ),
    rule(
      'langchain-reaches-kiln-through-the-sdk',
      'The integration is published with the SDK and without the rest of Kiln.',
      { path: '^packages/langchain/' },
      { path: '^(packages/(?!langchain/|sdk/)|services|infra|acceptance|bench)' },
    ),
    rule(
      'transport-reaches-no-data',
      'transport → usecases and services → stores.',
      { path: layer('controller|consumer|handler|tool|routes|http|middleware') },
      { path: layer('statement|statements|rows|entity|worker') },
    ),
    rule(
      'messages-reach-usecases-only',
      'A controller or consumer decodes, calls one use case, and encodes.',
      { path: layer('controller|consumer') },
      { path: layer('store|adapter') },
    ),
    rule(
      'usecases-know-neither-transport-nor-workers',
      'Workers and transport call use cases, never the other way.',
      { path: layer('usecase|service|step') },
      { path: layer('controller|consumer|command|handler|tool|routes|middleware|worker') },
    ),
    rule(
      'data-knows-no-usecases',
      'usecases → stores → statements, rows and entities.',
      { path: layer('store|statement|statements|rows|entity') },
      { path: layer('usecase|service|step|controller|consumer|command|handler|tool|worker|module') },
    ),
    rule(
      'domain-does-no-io',
      'Domain code is pure: no store, adapter, transport or driver.',
      { path: ['^services/.+/domain/', layer('domain')], pathNot: '\\.spec\\.ts$' },
      {
        path: [
          layer(
            'store|statement|statements|entity|usecase|service|step|controller|consumer|handler|tool|worker|adapter',
          ),
          'node_modules/(pg|typeorm|@nats-io|redis|express|@nestjs)',
        ],
      },
    ),
    rule(
      'acceptance-speaks-http-only',
      'Acceptance suites are a stranger with an HTTP client, or with the SDK.',
      { path: '^acceptance/' },
      { path: '^(services|packages/(?!sdk/))' },
    ),
    rule(
      'no-dev-tools-in-production',
      'Only tests, benches and the launcher may import infra or testing.',
      {
        path: '^(services|packages/(contracts|platform|storage|extraction|chunks|model-clients|readers|ocr|pdf|outbound|resilience))/',
        pathNot: '\\.spec\\.ts$|/install-[a-z-]+\\.mjs$|/src/(fixtures|test|test-support)/',
      },
      { path: '^(infra|packages/testing)/' },
    ),
  ],
  options: {
    // The parser does not know JSX: .dependency-cruiser.console.cjs checks the console and the portal.
    doNotFollow: { path: ['node_modules', '(^|/)dist/', '^packages/(console|portal)/'] },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default', 'types'] },
  },
};
