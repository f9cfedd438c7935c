// A canvas over a plane that one can move and zoom: by pointer, wheel, two fingers and keys. Draws only on request, once a
// frame; the draw function is told what part of the plane is visible, so that it draws just that.

class View {
  /// draw(context, view); tapped(x, y), hovered(x, y, event) in plane coordinates. `flat`: zooms along x only.
  constructor(canvas, { draw, tapped = () => {}, hovered = () => {}, flat = false }) {
    Object.assign(this, { canvas, draw, tapped, hovered, flat });
    this.x = this.y = 0;
    this.scale = 1;
    this.width = this.height = 0;  // of the canvas, in CSS pixels
    this.limits = { lowest: 0.01, highest: 4 };
    this.pointers = new Map();
    this.pending = false;
    this.moved = false;  // by the user
    this.listen();
    new ResizeObserver(() => this.resize()).observe(canvas);
    darkQuery.addEventListener("change", () => this.redraw());
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas;
    const same = clientWidth === this.width && clientHeight === this.height;
    if (clientWidth === 0 || clientHeight === 0 || same) return;
    this.width = clientWidth;
    this.height = clientHeight;
    this.canvas.width = Math.round(clientWidth * devicePixelRatio);
    this.canvas.height = Math.round(clientHeight * devicePixelRatio);
    if (!this.moved && this.ready) this.ready();  // what nobody moved yet fits the new size again
    this.paint();
  }

  paint() {
    if (this.width === 0) return;
    const context = this.canvas.getContext("2d");
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    this.draw(context, this);
  }

  redraw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.paint();
    });
  }

  toPlane(px, py) {
    return [this.x + px / this.scale, this.flat ? py : this.y + py / this.scale];
  }

  move(dx, dy) {
    this.moved = true;
    this.x -= dx / this.scale;
    if (!this.flat) this.y -= dy / this.scale;
    if (this.keepInside) this.keepInside();
    this.redraw();
  }

  /// Zooms by `factor`; what lies under (px, py) stays there.
  zoom(factor, px = this.width / 2, py = this.height / 2) {
    this.moved = true;
    const next = Math.min(this.limits.highest, Math.max(this.limits.lowest, this.scale * factor));
    this.x += px / this.scale - px / next;
    if (!this.flat) this.y += py / this.scale - py / next;
    this.scale = next;
    if (this.keepInside) this.keepInside();
    this.redraw();
  }

  centre(x, y) {
    this.x = x - this.width / 2 / this.scale;
    this.y = y - this.height / 2 / this.scale;
    this.redraw();
  }

  listen() {
    const { canvas } = this;
    const at = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, at(event));
      this.travelled = this.pointers.size > 1 ? Infinity : 0;
      showTip("", event);
    });
    canvas.addEventListener("pointermove", (event) => this.pointerMoved(event, at(event)));
    const ended = (event) => {
      const known = this.pointers.delete(event.pointerId);
      if (known && event.type === "pointerup" && this.travelled < 6) {
        const point = this.toPlane(...at(event));
        this.tapped(...point);
        if (event.pointerType === "touch") this.hovered(...point, event);
      }
    };
    canvas.addEventListener("pointerup", ended);
    canvas.addEventListener("pointercancel", ended);
    canvas.addEventListener("pointerleave", (event) => showTip("", event));
    canvas.addEventListener("wheel", (event) => {
      // In a flat view the wheel scrolls the page, except with Ctrl (which a trackpad's pinch sends too) or sideways.
      if (this.flat && !event.ctrlKey && Math.abs(event.deltaY) > Math.abs(event.deltaX)) return;
      event.preventDefault();
      if (this.flat && !event.ctrlKey) this.move(-event.deltaX, 0);
      else this.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)), ...at(event));
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  pointerMoved(event, now) {
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      this.hovered(...this.toPlane(...now), event);
      return;
    }
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    this.pointers.set(event.pointerId, now);
    this.travelled += Math.hypot(now[0] - before[0], now[1] - before[1]);
    if (others.length === 0) {
      this.move(now[0] - before[0], now[1] - before[1]);
      return;
    }
    const [other] = others;
    const distance = (p) => Math.max(10, Math.hypot(p[0] - other[0], p[1] - other[1]));
    this.move((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
    this.zoom(distance(now) / distance(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  }

  key(event) {
    const step = 80;
    const actions = {
      ArrowLeft: () => this.move(step, 0), ArrowRight: () => this.move(-step, 0),
      ArrowUp: () => this.move(0, step), ArrowDown: () => this.move(0, -step),
      "+": () => this.zoom(1.25), "=": () => this.zoom(1.25), "-": () => this.zoom(0.8),
      0: () => this.fit && this.fit(),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  }
}
