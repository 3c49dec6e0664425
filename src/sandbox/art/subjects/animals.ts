import { circle, ellipse, path, ROUND_ENDS, stroke, turned, type Drawing } from '../svg.js';
import { inAir, mirrored, onGround, type Ink, type Subject } from './subject.js';

const eye = (ink: Ink, x: number, y: number, r = 6): Drawing => [
  circle(x, y, r * 1.5, ink.pale),
  circle(x, y, r, ink.line),
];

/** An eye on each side. */
const eyes = (ink: Ink, x: number, y: number, r = 6): Drawing => [eye(ink, -x, y, r), eye(ink, x, y, r)];

/** Animals. */
export const ANIMALS: readonly Subject[] = [
  onGround('cat cats kitten kittens', 'black', 'white', (ink) => [
    stroke('M44 84C96 90 96 30 76 10', ink.main, 16, ROUND_ENDS),
    path('M-50 100C-60 40 -34 0 0 0C34 0 60 40 50 100Z', ink.main),
    path('M-56 -100L-54 -30C-54 10 54 10 54 -30L56 -100L24 -70H-24Z', ink.main),
    ellipse(0, 66, 24, 34, ink.second),
    eyes(ink, 22, -38, 8),
    path('M-7 -22H7L0 -12Z', ink.second),
  ]),
  onGround('dog dogs puppy puppies', 'brown', 'white', (ink) => [
    path('M-54 100C-60 30 -30 -4 0 -4C30 -4 60 30 54 100Z', ink.main),
    ellipse(0, 70, 24, 32, ink.second),
    ellipse(0, -44, 46, 46, ink.main),
    mirrored(path('M-34 -86C-70 -90 -78 -40 -62 -8C-44 -18 -36 -50 -34 -86Z', ink.dark)),
    ellipse(0, -24, 26, 22, ink.second),
    ellipse(0, -36, 11, 8, ink.line),
    eyes(ink, 18, -58),
  ]),
  onGround('fox foxes', 'orange', 'white', (ink) => [
    path('M30 96C90 100 108 30 78 -6C66 20 60 40 34 54Z', ink.main),
    path('M78 -6C98 20 94 44 86 52C74 34 72 18 78 -6Z', ink.second),
    path('M-48 100C-54 40 -30 0 0 0C30 0 54 40 48 100Z', ink.main),
    path('M0 20L26 100H-26Z', ink.second),
    path('M-66 -100L-20 -76H20L66 -100L58 -38L0 18L-58 -38Z', ink.main),
    mirrored(path('M-58 -38L0 18L-6 -26Z', ink.second)),
    eyes(ink, 24, -40, 5),
    circle(0, 12, 8, ink.line),
  ]),
  onGround('bear bears teddy panda pandas', 'brown', 'white', (ink) => [
    mirrored([circle(-44, -76, 22, ink.main), circle(-44, -76, 11, ink.second)]),
    ellipse(0, 58, 62, 46, ink.main),
    circle(0, -36, 58, ink.main),
    ellipse(0, -16, 28, 22, ink.second),
    ellipse(0, -26, 11, 8, ink.line),
    ellipse(0, 64, 32, 30, ink.second),
    eyes(ink, 24, -52),
  ]),
  onGround('rabbit rabbits bunny bunnies hare hares', 'grey', 'pink', (ink) => [
    mirrored([ellipse(-22, -70, 14, 32, ink.main), ellipse(-22, -68, 7, 22, ink.second)]),
    ellipse(0, 60, 46, 42, ink.main),
    circle(0, -8, 42, ink.main),
    ellipse(0, 70, 24, 26, ink.pale),
    eyes(ink, 16, -14),
    path('M-6 4H6L0 12Z', ink.second),
  ]),
  onGround('owl owls', 'brown', 'yellow', (ink) => [
    path('M-66 -96C-30 -76 30 -76 66 -96C70 20 60 92 0 100C-60 92 -70 20 -66 -96Z', ink.main),
    ellipse(0, 44, 38, 46, ink.light),
    mirrored([circle(-30, -36, 28, ink.pale), circle(-30, -36, 15, ink.line)]),
    path('M-11 -22H11L0 4Z', ink.second),
    mirrored(path('M-66 -20C-92 20 -84 66 -54 84Z', ink.dark)),
  ]),
  inAir(
    'bird birds robin robins sparrow sparrows wren wrens parrot parrots crow crows raven ravens',
    'blue',
    'orange',
    (ink) => [
      path('M-96 40L-40 10C-40 -50 0 -84 40 -74C74 -66 80 -30 66 0C50 50 0 74 -46 52L-92 70Z', ink.main),
      path('M-30 20C-10 -20 30 -14 40 10C20 44 -10 44 -30 20Z', ink.dark),
      path('M66 -58L100 -44L70 -30Z', ink.second),
      eye(ink, 46, -44),
      stroke('M0 64V96M24 56V96', ink.line, 5),
    ],
  ),
  onGround('penguin penguins', 'black', 'orange', (ink) => [
    mirrored([
      ellipse(-26, 94, 24, 9, ink.second),
      path('M-50 -20C-92 20 -80 60 -66 66C-60 40 -52 20 -44 10Z', ink.dark),
    ]),
    path('M0 -98C50 -98 62 -50 58 10C66 70 40 96 0 96C-40 96 -66 70 -58 10C-62 -50 -50 -98 0 -98Z', ink.main),
    path('M0 -30C40 -70 52 0 42 40C38 74 20 86 0 86C-20 86 -38 74 -42 40C-52 0 -40 -70 0 -30Z', ink.pale),
    path('M-14 -38H14L0 -14Z', ink.second),
    eyes(ink, 18, -54, 5),
  ]),
  inAir('butterfly butterflies moth moths', 'orange', 'black', (ink) => [
    mirrored([
      path('M-4 -10C-30 -96 -104 -96 -96 -40C-92 0 -50 14 -4 6Z', ink.main),
      path('M-4 8C-50 10 -80 40 -66 74C-50 96 -16 60 -4 22Z', ink.dark),
      circle(-62, -48, 15, ink.light),
      circle(-46, 52, 11, ink.light),
      stroke('M-3 -40C-10 -66 -22 -76 -32 -80', ink.line, 4),
    ]),
    ellipse(0, 4, 8, 48, ink.second),
  ]),
  inAir('bee bees bumblebee bumblebees', 'yellow', 'black', (ink) => [
    ellipse(-14, -48, 26, 42, ink.pale, turned(-24, -14, -48)),
    ellipse(30, -50, 26, 42, ink.pale, turned(20, 30, -50)),
    path('M-84 20C-84 -24 -44 -36 0 -36C50 -36 86 -16 88 20C86 56 50 76 0 76C-44 76 -84 64 -84 20Z', ink.main),
    path('M-40 -30H-16V72C-26 72 -34 70 -40 68ZM10 -36H34V74C26 76 18 76 10 76Z', ink.second),
    eye(ink, -62, 8),
    path('M88 10L104 20L88 30Z', ink.second),
  ]),
  inAir('fish fishes goldfish trout salmon', 'orange', 'yellow', (ink) => [
    path('M46 0L100 -50C92 -14 92 14 100 50Z', ink.dark),
    path('M-10 -50C10 -84 36 -84 50 -70L40 -30Z', ink.second),
    path('M-96 0C-60 -64 20 -64 60 0C20 64 -60 64 -96 0Z', ink.main),
    stroke('M-34 -40C-18 -14 -18 14 -34 40', ink.dark, 6),
    stroke('M0 -22Q12 0 0 22M22 -20Q34 0 22 20', ink.light, 6),
    eye(ink, -62, -10),
  ]),
  inAir('whale whales dolphin dolphins', 'blue', 'white', (ink) => [
    path(
      'M-98 10C-96 -44 -40 -56 0 -44C40 -34 56 -10 66 -30C52 -40 50 -66 56 -80C70 -66 78 -60 82 -56C86 -64 94 -72 104 -76C108 -54 96 -36 82 -28C84 30 40 66 -20 66C-70 66 -98 50 -98 10Z',
      ink.main,
    ),
    path('M-98 12C-60 30 0 40 44 48C20 62 0 66 -20 66C-70 66 -96 52 -98 12Z', ink.second),
    eye(ink, -58, -2),
    stroke('M-40 -56C-44 -84 -66 -88 -74 -76M-40 -56C-36 -86 -14 -90 -6 -78', ink.light, 7),
  ]),
  onGround('octopus octopuses squid jellyfish', 'purple', 'pink', (ink) => [
    mirrored(
      stroke(
        'M-12 20C-20 60 -16 80 -30 92M-28 20C-50 50 -40 80 -66 88M-40 10C-74 26 -66 60 -92 62',
        ink.main,
        19,
        ROUND_ENDS,
      ),
    ),
    path('M-58 20C-76 -60 -40 -98 0 -98C40 -98 76 -60 58 20C30 40 -30 40 -58 20Z', ink.main),
    ellipse(-18, -68, 18, 12, ink.light),
    eyes(ink, 22, -16, 8),
    stroke('M-12 12Q0 22 12 12', ink.second, 5),
  ]),
  onGround('turtle turtles tortoise tortoises', 'green', 'brown', (ink) => [
    ellipse(-46, 84, 18, 16, ink.light),
    ellipse(40, 84, 18, 16, ink.light),
    path('M54 60C60 10 84 -6 96 8C108 24 96 52 66 76Z', ink.light),
    path('M-88 76C-84 0 -40 -34 -6 -34C30 -34 70 0 74 76Z', ink.main),
    path('M-8 -20L18 6L8 40H-24L-34 6ZM-46 16L-40 50L-70 64L-66 34ZM36 16L26 50L58 64L54 34Z', ink.dark),
    eye(ink, 84, 16, 4),
  ]),
  onGround('snail snails', 'orange', 'yellow', (ink) => [
    path('M-96 98C-70 76 -30 86 10 80C60 80 60 40 64 -8L84 -4C92 50 90 98 50 98Z', ink.second),
    stroke('M68 0L58 -40M80 0L92 -38', ink.second, 6),
    circle(-16, 22, 60, ink.main),
    stroke('M-58 34C-58 -16 26 -22 26 26C26 60 -34 58 -32 24C-30 2 2 4 0 24', ink.dark, 9),
    circle(57, -42, 6, ink.line),
    circle(93, -41, 6, ink.line),
  ]),
  onGround('dragon dragons dinosaur dinosaurs', 'green', 'yellow', (ink) => [
    path('M-10 10C-40 -60 -84 -70 -98 -50C-84 -40 -88 -20 -76 -14C-66 -8 -66 10 -50 12Z', ink.dark),
    path(
      'M-100 92C-60 96 -56 40 -20 22C0 10 14 -10 12 -44C12 -84 40 -98 62 -90L96 -64C98 -50 84 -42 62 -44C66 0 70 60 44 98H18L14 78H-12L-16 98H-42L-40 84C-60 98 -84 102 -100 92Z',
      ink.main,
    ),
    path('M30 -10C44 20 44 52 26 74C14 50 16 16 30 -10Z', ink.second),
    path('M14 -70L-6 -72L10 -56ZM8 -36L-12 -34L6 -20ZM-8 0L-26 -8L-22 12Z', ink.second),
    eye(ink, 54, -70, 5),
  ]),
];
