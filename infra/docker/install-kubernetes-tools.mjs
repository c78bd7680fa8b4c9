// Installs the programs that build and check k8s/, which are written in Go and need it, the JSON schemas of all objects for kubeconform, and that
// of compose files. Everything comes as Go modules.
import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder, install, installGoProgram } from '../dev/counterparts.mjs';
import { writeSchemas } from './kubernetes-schemas.mjs';

const programs = {
  kustomize: 'sigs.k8s.io/kustomize/kustomize/v5@v5.8.1',
  helm: 'helm.sh/helm/v3/cmd/helm@v3.20.2',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
};
/** The modules that publish the schemas, with the files in them. */
const schemas = {
  'k8s.io/kubernetes@v1.36.3': ['api/openapi-spec/swagger.json'],
  'github.com/kedacore/keda/v2@v2.20.2': ['config/crd/bases/keda.sh_scaledobjects.yaml'],
  'github.com/prometheus-operator/prometheus-operator@v0.85.0': [
    'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml',
    'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  ],
  'sigs.k8s.io/gateway-api@v1.6.3': [
    'config/crd/standard/gateway.networking.k8s.io_gateways.yaml',
    'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml',
  ],
};

/** The folder of a module. */
function download(module) {
  const answer = execFileSync('go', ['mod', 'download', '-json', module], { encoding: 'utf8', maxBuffer: 2 ** 24 });
  return JSON.parse(answer).Dir;
}

for (const [name, module] of Object.entries(programs)) installGoProgram(name, module);
install('the schemas', 'kubernetes-schemas', () => {
  const files = Object.entries(schemas).flatMap(([module, paths]) => {
    const source = download(module);
    return paths.map((path) => join(source, path));
  });
  writeSchemas(files, join(folder, 'kubernetes-schemas'));
});
install('the schema of compose files', 'compose-spec.json', () => {
  const source = download('github.com/compose-spec/compose-go/v2@v2.16.2');
  copyFileSync(join(source, 'schema/compose-spec.json'), join(folder, 'compose-spec.json'));
});
