import path from 'node:path';
import { PROJECT_ROOT } from '../../../sandbox/stack/project.ts';
import { testClient } from '../../support/client-conformance.ts';

const PYTHON = path.join(PROJECT_ROOT, 'sdk', 'python');

testClient('TypeScript', () => ({
  command: process.execPath,
  args: [path.join(PROJECT_ROOT, 'dist', 'sdk', 'conformance', 'typescript-driver.js')],
}));

testClient('Python', () => ({
  command: 'python3',
  args: ['-B', path.join('tests', 'conformance_driver.py')],
  cwd: PYTHON,
  // No proxy reaches the scripted server.
  env: { ...process.env, PYTHONPATH: PYTHON, no_proxy: '*' },
}));
