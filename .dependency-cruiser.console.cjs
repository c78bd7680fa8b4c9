// The import law of the console and the portal, checked in their compiled files: dependency-cruiser's parser does not know JSX.
const source = '^packages/(?:console|portal)/dist/';
const portal = '^packages/portal/dist/';
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    rule('no-cycles', 'Modules that need each other are one module, or miss a third.', {}, { circular: true }),
    rule(
      'pages-reach-kiln-through-the-sdk',
      'The console and the portal use what every client can use.',
      { path: source },
      { path: '^(packages/(?!console/|portal/|sdk/)|services|infra|acceptance|bench)' },
    ),
    rule(
      'console-knows-no-portal',
      'The portal shares the `ui` and the `api` of the console, not the reverse.',
      { path: '^packages/console/dist/' },
      { path: portal },
    ),
    rule(
      'portal-shares-ui-and-api-only',
      'The portal has views of its own: what both need is in the `ui` and the `api` of the console.',
      { path: portal },
      { path: '^packages/console/dist/(?!ui/|api/)' },
    ),
    rule(
      'features-stand-alone',
      'Features never import each other: a route, or the app, puts them together. What they share is in `ui` and `api`.',
      { path: `${source}features/([^/]+)/` },
      { path: `${source}(features/(?!$1/)|routes/|router|app)` },
    ),
    rule(
      'controls-know-no-feature',
      'routes → features → ui → api.',
      { path: `${source}(ui|api)/` },
      { path: `${source}(features|routes|router|app)` },
    ),
    rule('api-shows-nothing', 'routes → features → ui → api.', { path: `${source}api/` }, { path: `${source}ui/` }),
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^packages/sdk/'] },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  },
};
