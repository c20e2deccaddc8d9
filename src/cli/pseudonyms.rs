//! Invented names for bots, for reports that anybody may read. A file in the folder of the championship keeps who is who, so that names stay the same.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::path::Path;

use crate::record::replace_file::UNFINISHED;

/// The file that keeps who is who. Only its owner can read it.
pub const FILE_NAME: &str = "pseudonyms.csv";

const ANIMALS: &str = "adder albatross alpaca anteater antelope armadillo badger barbet basilisk bat bear beaver bee beetle bison boar \
    bobcat bonobo buffalo bullfinch bumblebee butterfly buzzard camel capybara caracal cardinal caribou cat catfish chamois cheetah \
    chinchilla chipmunk cicada cobra cockatoo condor coot cormorant cougar coyote crab crane cricket crocodile crow cuckoo curlew deer dingo \
    dipper dolphin donkey dormouse dove dragonfly duck eagle earwig eel egret elephant elk emu falcon ferret finch firefly flamingo fox frog \
    gannet gazelle gecko gibbon giraffe gnat goat goldfinch goose gopher gorilla grebe grouse gull hamster hare harrier hawk hedgehog heron \
    hoopoe hornet horse hummingbird hyena ibex ibis iguana impala jackal jackdaw jaguar jay jellyfish kangaroo kestrel kingfisher kite kiwi \
    koala lapwing lark lemming lemur leopard linnet lion lizard llama lobster lynx macaw magpie mallard manatee marmot marten meerkat merlin \
    mole mongoose moose moth mouse mule narwhal newt nightingale nuthatch ocelot octopus okapi opossum orca oriole oryx osprey ostrich otter \
    owl ox oyster panda panther parrot partridge peacock pelican penguin petrel pheasant pigeon pika plover polecat pony porcupine porpoise \
    puffin puma python quail rabbit raccoon raven redstart reindeer rhino robin rook salamander salmon sandpiper seal serval shark sheep shrew \
    skunk skylark sloth snail sparrow spider squid squirrel starling stingray stoat stork swallow swan swift tapir tern thrush tiger toad \
    tortoise toucan trout turkey turtle viper vole vulture wagtail wallaby walrus warbler wasp waxwing weasel whale wolf wombat woodpecker \
    wren yak zebra";

/// The invented name of each bot: those that the file in this folder has, and new ones, which are added to it.
pub fn of<'a>(
    bots: impl IntoIterator<Item = &'a str>,
    folder: &Path,
) -> io::Result<BTreeMap<String, String>> {
    let path = folder.join(FILE_NAME);
    let mut known = read(&path)?;
    let before = known.len();
    let mut taken: HashSet<String> = known.values().cloned().collect();
    let mut animals: Vec<&str> = ANIMALS.split_whitespace().collect();
    fastrand::shuffle(&mut animals);
    let mut fresh = (1..).flat_map(|turn| {
        let name = move |animal: &&str| {
            if turn == 1 { format!("bot-{animal}") } else { format!("bot-{animal}-{turn}") }
        };
        animals.iter().map(name).collect::<Vec<_>>()
    });
    for bot in bots {
        if !known.contains_key(bot)
            && let Some(name) = fresh.find(|name| !taken.contains(name))
        {
            taken.insert(name.clone());
            known.insert(bot.to_owned(), name);
        }
    }
    if known.len() > before {
        write(&path, &known)?;
    }
    Ok(known)
}

fn read(path: &Path) -> io::Result<BTreeMap<String, String>> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(error),
    };
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let pairs = reader.records().filter_map(|record| {
        let record = record.ok()?;
        Some((record.get(0)?.to_owned(), record.get(1)?.to_owned()))
    });
    Ok(pairs.collect())
}

fn write(path: &Path, names: &BTreeMap<String, String>) -> io::Result<()> {
    // A new file, which nobody else can read, takes the place of the old one: pseudonyms that were published stay known.
    let fresh =
        tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(path.parent().unwrap_or(Path::new(".")))?;
    let mut writer = csv::Writer::from_writer(fresh.as_file());
    writer.write_record(["bot", "pseudonym"])?;
    for (bot, name) in names {
        writer.write_record([bot, name])?;
    }
    writer.flush()?;
    drop(writer);
    fresh.as_file().sync_all()?;
    fresh.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn names_are_invented_once_and_only_their_owner_can_read_who_is_who() {
        let folder = tempfile::tempdir().unwrap();
        let first = of(["ana", "beto, \"jr\""], folder.path()).unwrap();
        let many: Vec<String> = (0..600).map(|number| format!("b{number}")).collect();
        let all = of(many.iter().map(String::as_str).chain(["ana"]), folder.path()).unwrap();
        assert!(first.iter().all(|(bot, name)| all[bot] == *name));
        assert_eq!(all.values().collect::<HashSet<_>>().len(), 602, "no two bots share a name");
        let mode = fs::metadata(folder.path().join(FILE_NAME)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
