import { describeEventStore } from './contract.suite.js';
import { MemoryEventStore } from './memory/memory-event-store.js';

describeEventStore('memory', async () => {
  const store = new MemoryEventStore();
  return { store, other: store, close: () => store.close() };
});
