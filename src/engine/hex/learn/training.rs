//! Training: rounds of self-play, each followed by steps of gradient descent.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use super::adam::Adam;
use super::gradient::{Gradient, Layers, Loss};
use super::sample::Sample;
use super::self_play::{SelfPlay, draw};

/// Positions to a step.
const BATCH: usize = 256;
/// How often each position is learnt from, on average.
const REUSE: f32 = 3.0;

/// What is to be learnt, and how.
#[derive(Clone, Debug)]
pub struct TrainingSettings {
    /// Where the state is kept.
    pub folder: PathBuf,
    /// Residual blocks of the network; one that has fewer grows.
    pub blocks: usize,
    /// Board sizes, each with its share of the positions.
    pub sizes: Vec<(u8, f32)>,
    /// Positions that are looked at for each move.
    pub visits: u32,
    /// How far a step goes at first.
    pub rate: f32,
    /// How far it goes in the end; in between, it falls by equal factors in equal times.
    pub rate_end: f32,
    /// New positions to a round.
    pub positions: usize,
    /// Positions that are remembered.
    pub window: usize,
    /// When to stop.
    pub time: Duration,
    /// Threads.
    pub threads: usize,
    /// Of the dice.
    pub seed: u64,
}

/// A network that learns, with all that it needs.
pub struct Trainer {
    settings: TrainingSettings,
    adam: Adam,
    window: VecDeque<Sample>,
    rng: fastrand::Rng,
    /// Rounds so far, and processor time, those of earlier days included.
    rounds: u32,
    hours: f64,
}

impl Trainer {
    /// Goes on where the folder says, or begins.
    pub fn open(settings: TrainingSettings) -> io::Result<Trainer> {
        fs::create_dir_all(&settings.folder)?;
        let mut rng = fastrand::Rng::with_seed(settings.seed);
        let (mut adam, rounds, hours) = match fs::read(settings.folder.join(STATE)) {
            Ok(bytes) => read_state(&bytes).ok_or_else(|| io::Error::other(format!("{STATE} is damaged")))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                (Adam::new(settings.blocks, rng.u64(..)), 0, 0.0)
            }
            Err(error) => return Err(error),
        };
        if adam.weights.layers() < 2 * settings.blocks {
            adam.grow(settings.blocks, rng.u64(..));
        }
        Ok(Trainer { settings, adam, window: VecDeque::new(), rng, rounds, hours })
    }

    /// Plays and learns until the time is up. The state is kept after each round.
    pub fn run(&mut self) -> io::Result<()> {
        let begun = Instant::now();
        while begun.elapsed() < self.settings.time {
            let past = begun.elapsed().as_secs_f32() / self.settings.time.as_secs_f32();
            let rate = self.settings.rate * (self.settings.rate_end / self.settings.rate).powf(past);
            let before = processor_time();
            let games = self.play_games();
            // What has just been begun, or begun again, would learn a handful of positions by heart.
            let enough = self.window.len() >= self.settings.window.min(3 * self.settings.positions);
            let loss = if enough { Some(self.learn(rate)) } else { None };
            self.rounds += 1;
            self.hours += (processor_time() - before).as_secs_f64() / 3600.0;
            self.keep(&games, rate, loss)?;
        }
        Ok(())
    }

    /// Plays games, and adds their positions to those to be learnt from.
    fn play_games(&mut self) -> Games {
        let weights = Arc::new(self.adam.average.clone());
        let wanted = self.settings.positions;
        let played = AtomicUsize::new(0);
        let seeds: Vec<u64> = (0..self.settings.threads).map(|_| self.rng.u64(..)).collect();
        let play = |seed: u64| {
            let mut self_play = SelfPlay::new(&weights, self.settings.visits, seed);
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut games = Vec::new();
            while played.load(Ordering::Relaxed) < wanted {
                let game = self_play.play(self.draw_size(&mut rng));
                played.fetch_add(game.len(), Ordering::Relaxed);
                games.push(game);
            }
            games
        };
        let play = &play;
        let games: Vec<Vec<Sample>> = thread::scope(|scope| {
            let threads: Vec<_> = seeds.into_iter().map(|seed| scope.spawn(move || play(seed))).collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("a game does not panic")).collect()
        });
        let summary = Games { games: games.len(), positions: games.iter().map(Vec::len).sum() };
        self.window.extend(games.into_iter().flatten());
        let surplus = self.window.len().saturating_sub(self.settings.window);
        self.window.drain(..surplus);
        summary
    }

    /// A board size. Games on large boards have more positions, so there are fewer of them.
    fn draw_size(&self, rng: &mut fastrand::Rng) -> u8 {
        let weight = |&(size, share): &(u8, f32)| share / (f32::from(size) * f32::from(size));
        let weights: Vec<f32> = self.settings.sizes.iter().map(weight).collect();
        self.settings.sizes[draw(rng, &weights)].0
    }

    /// Learns from the window as much as a round's new positions allow.
    fn learn(&mut self, rate: f32) -> Loss {
        let steps = (self.settings.positions as f32 * REUSE / BATCH as f32).ceil() as usize;
        let mut gradients: Vec<Gradient> =
            (0..self.settings.threads).map(|_| Gradient::new(&self.adam.weights)).collect();
        let mut loss = Loss::default();
        for _ in 0..steps {
            let batch: Vec<(usize, bool)> =
                (0..BATCH).map(|_| (self.rng.usize(..self.window.len()), self.rng.bool())).collect();
            let (weights, window) = (&self.adam.weights, &self.window);
            let layers = Layers::new(weights);
            let layers = &layers;
            let next = &AtomicUsize::new(0);
            thread::scope(|scope| {
                for gradient in &mut gradients {
                    let batch = &batch;
                    scope.spawn(move || {
                        gradient.clear();
                        // Whoever is free takes the next: the machine may be busy with other things.
                        while let Some(&(index, turn)) = batch.get(next.fetch_add(1, Ordering::Relaxed)) {
                            let sample = &window[index];
                            if turn {
                                gradient.add(weights, layers, &sample.turned());
                            } else {
                                gradient.add(weights, layers, sample);
                            }
                        }
                    });
                }
            });
            let (sum, others) = gradients.split_first_mut().expect("there is a thread");
            for other in others {
                let numbers = sum.sum.numbers_mut().iter_mut().zip(other.sum.numbers());
                numbers.for_each(|(sum, number)| *sum += number);
                sum.loss += other.loss;
            }
            sum.sum.numbers_mut().iter_mut().for_each(|number| *number /= BATCH as f32);
            self.adam.step(&sum.sum, rate);
            loss += sum.loss;
        }
        let positions = (steps * BATCH) as f32;
        Loss { policy: loss.policy / positions, value: loss.value / positions, chain: loss.chain / positions }
    }

    /// Writes the state, the network and a line of the log.
    fn keep(&self, games: &Games, rate: f32, loss: Option<Loss>) -> io::Result<()> {
        let folder = &self.settings.folder;
        write_whole(&folder.join(STATE), &write_state(&self.adam, self.rounds, self.hours))?;
        write_whole(&folder.join("net"), &self.adam.average.write())?;
        if self.rounds.is_multiple_of(20) {
            write_whole(&folder.join(format!("net-{:05}", self.rounds)), &self.adam.average.write())?;
        }
        let path = folder.join("log.csv");
        let is_new = !path.exists();
        let mut log = OpenOptions::new().create(true).append(true).open(path)?;
        if is_new {
            writeln!(
                log,
                "round,cpu_hours,sizes,visits,rate,games,positions,policy_loss,value_loss,chain_loss"
            )?;
        }
        let sizes: Vec<String> =
            self.settings.sizes.iter().map(|(size, share)| format!("{size}:{share}")).collect();
        let loss = loss.map_or(",,".to_owned(), |loss| {
            format!("{:.4},{:.4},{:.4}", loss.policy, loss.value, loss.chain)
        });
        let (round, hours, visits) = (self.rounds, self.hours, self.settings.visits);
        let Games { games, positions } = games;
        writeln!(log, "{round},{hours:.3},{},{visits},{rate:.6},{games},{positions},{loss}", sizes.join(" "))
    }
}

/// The processor time that this process has used so far.
fn processor_time() -> Duration {
    clock_gettime(ClockId::ProcessCPUTime).try_into().expect("time is never negative")
}

/// What has been played in a round.
struct Games {
    games: usize,
    positions: usize,
}

const STATE: &str = "state";

fn write_state(adam: &Adam, rounds: u32, hours: f64) -> Vec<u8> {
    let mut bytes = rounds.to_le_bytes().to_vec();
    bytes.extend(hours.to_le_bytes());
    bytes.extend(adam.write());
    bytes
}

fn read_state(bytes: &[u8]) -> Option<(Adam, u32, f64)> {
    let (rounds, rest) = bytes.split_first_chunk()?;
    let (hours, rest) = rest.split_first_chunk()?;
    Some((Adam::read(rest)?, u32::from_le_bytes(*rounds), f64::from_le_bytes(*hours)))
}

/// Writes a file so that, whatever happens, either the old one is there or the new one.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let aside = path.with_extension("new");
    let mut file = File::create(&aside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(aside, path)
}
