// Runs in workerd, whose clock stands still while a request computes: whoever asks takes the time.
import { jsonDocuments } from './json-documents.js';
import { makePlans } from './measure.js';

let made;

export default {
  fetch(request) {
    made ??= makePlans(jsonDocuments);
    const { searchParams } = new URL(request.url);
    const index = searchParams.get('plan');
    if (index === null) {
      const plans = made.plans.map(({ document, contender, nbytes }) => ({ document, contender, nbytes }));
      return Response.json({ plans, leftOut: made.leftOut });
    }
    made.plans[Number(index)].run(Number(searchParams.get('times')));
    return new Response('done');
  },
};
