// Runs the suite in workerd.
import { conform } from './suite.js';

export default {
  async fetch() {
    return Response.json(await conform());
  },
};
