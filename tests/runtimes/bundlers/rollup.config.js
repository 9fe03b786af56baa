import { nodeResolve } from '@rollup/plugin-node-resolve';

export default {
  input: 'user.js',
  output: { file: 'output/user.js', format: 'es' },
  plugins: [nodeResolve({ browser: true })],
};
