#include "sweep/point_id.hpp"

#include <algorithm>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace soya {

std::string text_id(std::string_view text) {
  // The name space that RFC 4122 keeps for object identifiers; any fixed one would do.
  const boost::uuids::name_generator_sha1 generator{boost::uuids::ns::oid()};
  std::string id = boost::uuids::to_string(generator(text.data(), text.size()));
  std::erase(id, '-');
  return id;
}

std::string point_id(const Scenario& scenario, std::string_view version, std::string_view task) {
  std::string text{version};
  text += '\n';
  text += task;
  text += '\n';
  for (const EffectiveKey& key : scenario.effective) {
    text += key.path;
    text += ": ";
    text += key.value;
    text += '\n';
  }
  return text_id(text);
}

}  // namespace soya
