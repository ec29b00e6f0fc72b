// The points on the map, drawn by three.js. Large maps are drawn in parts: while the view moves only the first part,
// a random sample of the points, and the rest frame by frame when it rests.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  ColorManagement,
  DataTexture,
  Fog,
  LinearFilter,
  LinearMipmapLinearFilter,
  LinearSRGBColorSpace,
  MOUSE,
  OrthographicCamera,
  PerspectiveCamera,
  Points,
  PointsMaterial,
  Scene as Graph,
  TOUCH,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { MARKS, NEW_MARK } from "./color";
import { State } from "./state";

const MARGIN = 1.1;

interface Group {
  points: Points;
  size: number;
  isNew: boolean;
}

// White, with the shape as its opacity: transparent texels are white too, or they would darken the edges of small points.
function markTexture(path: string, outlined: boolean): DataTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const context = canvas.getContext("2d")!;
  context.setTransform(6, 0, 0, 6, 32, 32);
  const shape = new Path2D(path);
  context.fillStyle = "#fff";
  context.fill(shape);
  if (outlined) {
    context.strokeStyle = "#000";
    context.lineWidth = 1;
    context.stroke(shape);
  }
  const pixels = context.getImageData(0, 0, 64, 64).data;
  if (!outlined) for (let i = 0; i < pixels.length; i += 4) pixels.fill(255, i, i + 3);
  const texture = new DataTexture(new Uint8Array(pixels.buffer), 64, 64);
  texture.flipY = true; // the first row of a canvas is the upper one
  texture.generateMipmaps = true;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.magFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

// The same random order on every page load.
function shuffled(list: number[]): Uint32Array {
  const out = Uint32Array.from(list);
  let seed = 12345;
  for (let i = out.length - 1; i > 0; i--) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const j = Math.floor((seed / 4294967296) * (i + 1));
    [out[i], out[j]] = [out[j], out[i]];
  }
  return out;
}

export class Scene {
  readonly canvas: HTMLCanvasElement;
  private renderer: WebGLRenderer;
  private graph = new Graph();
  private flat = new OrthographicCamera(-MARGIN, MARGIN, MARGIN, -MARGIN, 0.1, 100);
  private deep = new PerspectiveCamera(40, 1, 0.1, 100);
  private flatControls: OrbitControls;
  private deepControls: OrbitControls;
  private groups: Group[] = [];
  private position: BufferAttribute;
  private color: BufferAttribute;
  private width = 1;
  private height = 1;
  private moving = false;
  private part = 0;
  private budget = 30000;
  private scheduled = false;
  private lastFrame = 0;
  private restTimer = 0;
  private screen: Float32Array;
  private stale = true;
  /** Frames drawn since the page was opened, and the time of the first, for tests and curious readers. */
  frames = 0;
  firstFrame = 0;
  onFrame: (resting: boolean) => void = () => {};

  constructor(private state: State) {
    ColorManagement.enabled = false;
    this.canvas = document.createElement("canvas");
    this.renderer = new WebGLRenderer({ canvas: this.canvas, alpha: true, antialias: false, preserveDrawingBuffer: true });
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.autoClear = false;
    this.position = new BufferAttribute(new Float32Array(3 * state.data.n), 3);
    this.color = new BufferAttribute(state.colors, 4, true);
    this.screen = new Float32Array(2 * state.data.n);
    this.flat.position.set(0, 0, 10);
    this.flatControls = this.controls(this.flat);
    this.flatControls.enableRotate = false;
    this.flatControls.zoomToCursor = true;
    this.flatControls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
    this.flatControls.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
    this.flatControls.minZoom = 0.5;
    this.flatControls.maxZoom = 2000;
    this.deepControls = this.controls(this.deep);
    this.deepControls.minDistance = 0.2;
    this.deepControls.maxDistance = 20;
    this.makeGroups();
    this.place();
    this.reset();
    state.listen((change) => {
      if (change === "axes") {
        this.place();
        this.reset();
      }
      if (change === "colors" || change === "selection") this.color.needsUpdate = true;
      if (change !== "focus") this.redraw();
    });
  }

  get isDeep(): boolean {
    return this.state.axes.length === 3;
  }
  private get camera() {
    return this.isDeep ? this.deep : this.flat;
  }
  get zoom(): number {
    return this.isDeep ? 4.2 / this.deep.position.distanceTo(this.deepControls.target) : this.flat.zoom;
  }
  get spins(): boolean {
    return this.deepControls.autoRotate;
  }

  private controls(camera: OrthographicCamera | PerspectiveCamera): OrbitControls {
    const controls = new OrbitControls(camera, this.canvas);
    controls.enableDamping = false;
    controls.addEventListener("change", () => this.move());
    return controls;
  }

  private makeGroups() {
    const members: number[][] = MARKS.map(() => []);
    for (let i = 0; i < this.state.data.n; i++) members[this.state.mark(i)].push(i);
    members.forEach((list, mark) => {
      if (list.length === 0) return;
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", this.position);
      geometry.setAttribute("color", this.color);
      geometry.setIndex(new BufferAttribute(shuffled(list), 1));
      const isNew = mark === NEW_MARK;
      const points = new Points(
        geometry,
        new PointsMaterial({
          size: this.pointSize(isNew) * this.renderer.getPixelRatio(),
          sizeAttenuation: false,
          map: markTexture(MARKS[mark], isNew),
          vertexColors: true,
          transparent: true,
          alphaTest: 0.1,
          depthTest: false,
          depthWrite: false,
        }),
      );
      points.frustumCulled = false;
      points.renderOrder = isNew ? 1 : 0;
      this.groups.push({ points, size: list.length, isNew });
      this.graph.add(points);
    });
  }

  private pointSize(isNew: boolean): number {
    const n = this.state.data.nTrain;
    const base = Math.min(9, Math.max(3, 260 / Math.sqrt(Math.max(1, n))));
    return isNew ? Math.max(9, base * 1.4) : base;
  }

  // Each coordinate runs from -1 to 1; a constant one stays in the middle.
  private place() {
    const { axes, data } = this.state;
    const array = this.position.array as Float32Array;
    array.fill(0);
    axes.forEach((axis, k) => {
      const values = data.coordinates[axis];
      let low = Infinity;
      let high = -Infinity;
      for (const v of values) {
        if (v < low) low = v;
        if (v > high) high = v;
      }
      const scale = high > low ? 2 / (high - low) : 0;
      for (let i = 0; i < values.length; i++) array[3 * i + k] = (values[i] - low) * scale - (scale > 0 ? 1 : 0);
    });
    this.position.needsUpdate = true;
    const deep = axes.length === 3;
    for (const { points } of this.groups) {
      const material = points.material as PointsMaterial;
      material.depthTest = material.depthWrite = deep;
      material.alphaTest = deep ? 0.5 : 0.1;
      material.fog = deep;
      material.needsUpdate = true;
    }
    this.graph.fog = deep ? new Fog(new Color(getComputedStyle(document.body).backgroundColor), 3, 10) : null;
    this.useControls(true);
  }

  /** Whether dragging moves the view (or else selects). */
  useControls(enabled: boolean) {
    this.flatControls.enabled = enabled && !this.isDeep;
    this.deepControls.enabled = enabled && this.isDeep;
    if (!this.isDeep) this.deepControls.autoRotate = false;
  }
  spin(on: boolean) {
    this.deepControls.autoRotate = on && this.isDeep;
    this.redraw();
  }
  reset() {
    this.flat.zoom = 1;
    this.flat.position.set(0, 0, 10);
    this.flatControls.target.set(0, 0, 0);
    this.flat.updateProjectionMatrix();
    this.deep.position.set(2.2, 1.6, 3.2);
    this.deepControls.target.set(0, 0, 0);
    this.flatControls.update();
    this.deepControls.update();
    this.redraw();
  }
  zoomBy(factor: number) {
    if (this.isDeep) {
      const offset = this.deep.position.clone().sub(this.deepControls.target).divideScalar(factor);
      this.deep.position.copy(this.deepControls.target).add(offset);
    } else {
      this.flat.zoom = Math.min(2000, Math.max(0.5, this.flat.zoom * factor));
      this.flat.updateProjectionMatrix();
    }
    this.move();
  }
  /** Moves the view so that a sample is in the middle. */
  center(i: number) {
    const at = new Vector3().fromArray(this.position.array as Float32Array, 3 * i);
    const controls = this.isDeep ? this.deepControls : this.flatControls;
    this.camera.position.add(at.clone().sub(controls.target));
    controls.target.copy(at);
    controls.update();
    this.move();
  }

  resize(width: number, height: number) {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.renderer.setSize(this.width, this.height, false);
    this.deep.aspect = this.width / this.height;
    this.deep.updateProjectionMatrix();
    this.redraw();
  }

  move() {
    this.moving = true;
    window.clearTimeout(this.restTimer);
    this.restTimer = window.setTimeout(() => {
      this.moving = false;
      this.redraw();
    }, 140);
    this.redraw();
  }
  redraw() {
    this.part = 0;
    this.stale = true;
    this.schedule();
  }
  private schedule() {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame((time) => this.frame(time));
  }

  private frame(time: number) {
    this.scheduled = false;
    if (this.spins) this.deepControls.update();
    const parts = Math.max(1, Math.ceil(this.state.data.n / this.budget));
    if (this.part > 0) this.adapt(time - this.lastFrame);
    this.lastFrame = time;
    this.drawPart(this.part, parts);
    this.frames++;
    if (this.firstFrame === 0) this.firstFrame = performance.now();
    const first = this.part === 0;
    this.part++;
    if (!this.moving && !this.spins && this.part < parts) this.schedule();
    if (this.moving || this.spins) this.part = 1;
    if (this.spins) this.schedule();
    if (first || this.part >= parts) this.onFrame(!this.moving && !this.spins);
  }

  // Fewer points per frame where drawing is slow, more where it is fast.
  private adapt(milliseconds: number) {
    if (milliseconds > 110) this.budget = Math.max(4000, this.budget * 0.6);
    else if (milliseconds < 40) this.budget = Math.min(400000, this.budget * 1.5);
  }

  private drawPart(part: number, parts: number) {
    if (part === 0) this.renderer.clear();
    for (const group of this.groups) {
      const whole = group.isNew && group.size <= this.budget;
      const from = Math.floor((part * group.size) / parts);
      const to = Math.floor(((part + 1) * group.size) / parts);
      group.points.geometry.setDrawRange(whole ? 0 : from, whole ? group.size : to - from);
      group.points.visible = whole || to > from;
    }
    this.renderer.render(this.graph, this.camera);
  }

  /** Where each sample is on the canvas, in CSS pixels; NaN behind the viewer. */
  positions(): Float32Array {
    if (!this.stale) return this.screen;
    this.camera.updateMatrixWorld();
    const m = this.camera.projectionMatrix.clone().multiply(this.camera.matrixWorldInverse).elements;
    const p = this.position.array;
    for (let i = 0, j = 0; j < p.length; i += 2, j += 3) {
      const x = p[j], y = p[j + 1], z = p[j + 2];
      const w = m[3] * x + m[7] * y + m[11] * z + m[15];
      this.screen[i] = w > 0 ? ((m[0] * x + m[4] * y + m[8] * z + m[12]) / w + 1) * 0.5 * this.width : NaN;
      this.screen[i + 1] = w > 0 ? (1 - (m[1] * x + m[5] * y + m[9] * z + m[13]) / w) * 0.5 * this.height : NaN;
    }
    this.stale = false;
    return this.screen;
  }

  get size(): [number, number] {
    return [this.width, this.height];
  }
}
