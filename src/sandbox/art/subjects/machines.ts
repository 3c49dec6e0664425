import { circle, ellipse, path, rect, repeat, ROUND, ROUND_ENDS, stroke, type Drawing } from '../svg.js';
import { inAir, mirrored, onGround, type Ink, type Subject } from './subject.js';

const wheels = (ink: Ink, places: readonly number[], y: number, r: number): Drawing =>
  places.map((x) => [circle(x, y, r, ink.line), circle(x, y, r * 0.45, ink.pale)]);

/** Vehicles, robots and instruments. */
export const MACHINES: readonly Subject[] = [
  inAir('rocket rockets spaceship spaceships', 'red', 'white', (ink) => [
    path('M-18 62C-22 84 -10 92 0 108C10 92 22 84 18 62Z', ink.glow),
    path('M-30 20L-66 60V86L-24 62ZM30 20L66 60V86L24 62Z', ink.dark),
    path('M0 -108C40 -74 44 0 28 66H-28C-44 0 -40 -74 0 -108Z', ink.main),
    path('M0 -108C18 -92 28 -72 32 -48H-32C-28 -72 -18 -92 0 -108Z', ink.second),
    circle(0, -12, 20, ink.second),
    circle(0, -12, 12, '#7cc4e8'),
    rect(-5, 30, 10, 50, ink.dark),
  ]),
  onGround('car cars taxi taxis automobile', 'red', 'white', (ink) => [
    path('M-58 10L-34 -38H34L62 10Z', ink.dark),
    path('M-44 8L-26 -26H-4V8ZM6 8V-26H28L46 8Z', '#bfe0ee'),
    path('M-98 66V30C-98 14 -84 8 -60 8H66C90 10 98 24 98 40V66Z', ink.main),
    rect(-98, 44, 196, 8, ink.second),
    wheels(ink, [-52, 54], 70, 28),
  ]),
  onGround('bus buses tram trams', 'yellow', 'white', (ink) => [
    rect(-98, -62, 196, 138, ink.main, { rx: 18 }),
    [-84, -40, 4, 48].map((x) => rect(x, -44, 36, 46, '#bfe0ee', { rx: 5 })),
    rect(-98, 22, 196, 12, ink.second),
    wheels(ink, [-52, 54], 76, 24),
  ]),
  onGround('train trains locomotive locomotives', 'green', 'red', (ink) => [
    path('M-96 -70H-20V60H-96Z', ink.main),
    rect(-80, -52, 42, 40, '#bfe0ee'),
    rect(-106, -82, 96, 16, ink.second),
    rect(-20, -24, 104, 84, ink.main, { rx: 12 }),
    path('M44 -24V-66H36L30 -86H74L68 -66H60V-24Z', ink.dark),
    rect(-100, 56, 196, 14, ink.second),
    wheels(ink, [-72, -26, 20, 66], 78, 22),
  ]),
  onGround('bicycle bicycles bike bikes', 'red', 'black', (ink) => [
    [-56, 56].map((x) => circle(x, 52, 42, 'none', { stroke: ink.second, 'stroke-width': 9 })),
    stroke('M-56 52L-20 -14H40L4 52ZM-20 -14L4 52M40 -14L56 52M40 -14L34 -44H58', ink.main, 11, ROUND),
    stroke('M-38 -30H-6M-20 -14L-24 -30', ink.line, 10, ROUND_ENDS),
  ]),
  onGround('boat boats sailboat sailboats ship ships yacht yachts', 'red', 'white', (ink) => [
    rect(-4, -98, 8, 150, ink.wood),
    path('M8 -92C60 -50 72 0 76 36H8Z', ink.second),
    path('M-8 -74C-44 -40 -58 0 -62 36H-8Z', ink.light),
    path('M-96 48H96C90 82 64 98 40 98H-44C-70 98 -90 82 -96 48Z', ink.main),
    rect(-92, 58, 184, 9, ink.pale),
  ]),
  inAir('plane planes airplane airplanes aeroplane jet jets', 'white', 'blue', (ink) => [
    path('M-96 -50L-66 -50L-40 -8H-84Z', ink.second),
    path('M-92 -6C-40 -34 50 -34 84 -14C108 0 92 22 60 26H-56C-80 24 -92 10 -92 -6Z', ink.main),
    path('M-22 6H30L-30 78H-54Z', ink.dark),
    path('M-10 -28H26L-8 -66H-26Z', ink.dark),
    [-30, -6, 18, 42].map((x) => circle(x, -8, 7, ink.second)),
  ]),
  inAir('balloon balloons', 'red', 'yellow', (ink) => [
    stroke('M-34 34L-16 72M34 34L16 72', ink.line, 4),
    path('M0 -104C52 -104 76 -66 70 -30C64 4 36 30 22 48H-22C-36 30 -64 4 -70 -30C-76 -66 -52 -104 0 -104Z', ink.main),
    path('M0 -104C26 -90 30 -10 10 48H-10C-30 -10 -26 -90 0 -104Z', ink.second),
    rect(-20, 70, 40, 30, ink.wood, { rx: 5 }),
  ]),
  onGround('robot robots android androids', 'grey', 'red', (ink) => [
    stroke('M0 -72V-96', ink.dark, 6),
    circle(0, -96, 9, ink.second),
    rect(-44, -74, 88, 66, ink.main, { rx: 12 }),
    mirrored(circle(20, -44, 13, ink.glow)),
    rect(-24, -24, 48, 8, ink.line),
    rect(-54, 0, 108, 70, ink.main, { rx: 12 }),
    rect(-28, 16, 56, 34, ink.second, { rx: 6 }),
    stroke('M-62 8V52M62 8V52', ink.dark, 18, ROUND_ENDS),
    mirrored(rect(14, 70, 26, 30, ink.dark)),
  ]),
  onGround('guitar guitars ukulele violin violins cello', 'orange', 'brown', (ink) => [
    rect(-9, -84, 18, 110, ink.second),
    path('M-18 -104H18L14 -74H-14Z', ink.dark),
    path('M0 -16C34 -22 44 2 36 22C64 40 62 100 0 100C-62 100 -64 40 -36 22C-44 2 -34 -22 0 -16Z', ink.main),
    circle(0, 34, 18, ink.line),
    rect(-24, 70, 48, 9, ink.dark),
    stroke('M-4 -84V72M4 -84V72', ink.pale, 2),
  ]),
  onGround('camera cameras', 'black', 'red', (ink) => [
    path('M-40 -44L-26 -72H26L40 -44Z', ink.dark),
    rect(-94, -46, 188, 132, ink.main, { rx: 18 }),
    circle(0, 22, 50, ink.pale),
    circle(0, 22, 38, ink.line),
    circle(0, 22, 22, '#5a8fb8'),
    circle(-10, 12, 8, ink.pale),
    circle(70, -22, 10, ink.second),
  ]),
  onGround('clock clocks watch watches', 'blue', 'red', (ink) => [
    mirrored(circle(54, -68, 26, ink.dark)),
    stroke('M-50 76L-66 98M50 76L66 98', ink.dark, 14, ROUND_ENDS),
    circle(0, 12, 84, ink.main),
    circle(0, 12, 64, ink.pale),
    stroke('M0 12V-34M0 12L34 30', ink.line, 9, ROUND_ENDS),
    circle(0, 12, 8, ink.second),
  ]),
  onGround('telephone telephones phone phones', 'red', 'white', (ink) => [
    path('M-96 -30C-90 -84 90 -84 96 -30L60 -18C58 -44 -58 -44 -60 -18Z', ink.dark),
    path('M-40 -46H40L84 92H-84Z', ink.main),
    ellipse(0, 30, 44, 42, ink.second),
    ellipse(0, 30, 14, 13, ink.main),
    repeat(8, (i) => circle(Math.cos(i * 0.785) * 29, 30 + Math.sin(i * 0.785) * 27, 6, ink.line)),
  ]),
];
