// The import law of the console, checked in its compiled files: dependency-cruiser's parser does not know JSX.
const source = '^packages/console/dist/';
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    rule('no-cycles', 'Modules that need each other are one module, or miss a third.', {}, { circular: true }),
    rule(
      'console-reaches-kiln-through-the-sdk',
      'The console uses what every client can use.',
      { path: source },
      { path: '^(packages/(?!console/|sdk/)|services|infra|acceptance|bench)' },
    ),
    rule(
      'features-stand-alone',
      'Features never import each other: a route puts them together. What they share is in `ui` and `api`.',
      { path: `${source}features/([^/]+)/` },
      { path: `${source}(features/(?!$1/)|routes/|router)` },
    ),
    rule(
      'controls-know-no-feature',
      'routes → features → ui → api.',
      { path: `${source}(ui|api)/` },
      { path: `${source}(features|routes|router)` },
    ),
    rule('api-shows-nothing', 'routes → features → ui → api.', { path: `${source}api/` }, { path: `${source}ui/` }),
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^packages/sdk/'] },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  },
};
