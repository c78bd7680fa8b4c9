export { startFakeGcsServer, type FakeGcsServer } from './fake-gcs-server.js';
export { installedProgram, type Program } from './installed-program.js';
export { startMoto, type Moto } from './moto.js';
export { startSeaweedfs, type Seaweedfs } from './seaweedfs.js';
export { startVersitygw, type Versitygw } from './versitygw.js';
