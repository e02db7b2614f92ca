// A slow, uneven network: each answer, and each message of a table in its order, comes later than the server sent it, by chance.
// A test that acts on one page and then looks at another without waiting for it fails here, and by chance without it.
(() => {
  const SOME = 400; // milliseconds; most are much shorter
  const later = () => new Promise((done) => setTimeout(done, Math.random() ** 2 * SOME));
  const ask = window.fetch;
  window.fetch = async (...all) => {
    const answer = await ask(...all);
    await later();
    return answer;
  };
  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...all) {
      super(...all);
      let line = Promise.resolve();
      for (const kind of ["message", "close"]) {
        this.addEventListener(kind, (event) => {
          if (!event.isTrusted) return; // said again here, or by a test
          event.stopImmediatePropagation();
          const again = new event.constructor(kind, event);
          line = line.then(later).then(() => this.dispatchEvent(again));
        });
      }
    }
  };
})();
