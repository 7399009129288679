/** Dependencies flow one way: web → domain; api → ledger, projections → event-store → domain. */
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: '\\.(spec|suite)\\.tsx?$' },
  to: { path: '^(apps|libs|test)/', pathNot: [from, ...allowed] },
});

module.exports = {
  forbidden: [
    only('domain-imports-nothing-of-ours', '^libs/domain/', []),
    {
      name: 'domain-has-no-framework-and-no-io',
      severity: 'error',
      from: { path: '^libs/domain/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm', 'core'], pathNot: '^node_modules/fast-check' },
    },
    only('event-store-imports-domain', '^libs/event-store/', ['^libs/domain/']),
    only('ledger-imports-domain-and-event-store', '^libs/ledger/', ['^libs/domain/', '^libs/event-store/']),
    only('projections-import-domain-and-event-store', '^libs/projections/', ['^libs/domain/', '^libs/event-store/']),
    only('stripe-stand-in-imports-nothing-of-ours', '^libs/stripe-stand-in/', []),
    only('sdk-imports-nothing-of-ours', '^libs/sdk/', []),
    {
      name: 'sdk-has-no-dependency',
      severity: 'error',
      from: { path: '^libs/sdk/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm', 'core'] },
    },
    only('api-imports-libs', '^apps/api/', ['^libs/']),
    only('tools-import-nothing-of-ours', '^tools/', []),
    only('web-imports-domain', '^apps/web/', ['^libs/domain/']),
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|node_modules)/' },
  },
};
